import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { newDataDir, removeDataDir } from '../../test/support/server/data-dir.js';
import { filesIn, type Files, logTail, openLog, readPidFile, urlOf } from './files.js';
import { isClaimed } from './owner.js';

const PID_FILE = ['4711', '/data', '1700000000', '5433', '', '127.0.0.1', '1', 'ready   '].join('\n');
const READS = 4_000;

let dataDir: string;
let files: Files;

beforeEach(() => {
  dataDir = newDataDir();
  files = filesIn(dataDir);
  mkdirSync(dirname(files.pidFile));
});
afterEach(() => removeDataDir(dataDir));

/** Runs `read` many times while another thread removes the file, writes a new one beside it and puts that in its place. */
async function whileReplaced(path: string, text: string, read: () => void): Promise<void> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const replace = `
    const { renameSync, rmSync, writeFileSync } = require('node:fs');
    const { path, text, stop } = require('node:worker_threads').workerData;
    while (Atomics.load(stop, 0) === 0) {
      rmSync(path, { force: true });
      writeFileSync(path + '.new', text);
      renameSync(path + '.new', path);
    }`;
  const worker = new Worker(replace, { eval: true, workerData: { path, text, stop } });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  await new Promise((resolve) => worker.once('online', resolve));
  try {
    for (let nr = 0; nr < READS; nr++) read();
  } finally {
    Atomics.store(stop, 0, 1);
    await ended;
  }
}

describe('a file that another process replaces while it is read', () => {
  it('is there or not: the pid file of a server', () =>
    whileReplaced(files.pidFile, PID_FILE, () =>
      expect([null, { pid: 4711, port: 5433, ready: true }]).toContainEqual(readPidFile(files)),
    ));

  it('is there or not: the log', () =>
    whileReplaced(files.log, 'a line\n', () => expect(['', 'a line']).toContain(logTail(files, 0))));

  it('is told to be missing when nothing works without it: the password', () =>
    whileReplaced(files.password, 'secret', () => {
      try {
        expect(urlOf(files, 1)).toContain('secret');
      } catch (error) {
        expect((error as Error).message).toContain('is missing. Restore it.');
      }
    }));
});

it('a file that is not there is no pid file, no claim and an empty log', () => {
  expect(readPidFile(files)).toBeNull();
  expect(isClaimed(files.owner)).toBe(false);
  expect(logTail(files, 0)).toBe('');
  expect(openLog(files).offset).toBe(0);
});

it('a pid file that is just being written names no server that is ready', () => {
  for (let length = 0; length < PID_FILE.trimEnd().length; length++) {
    writeFileSync(files.pidFile, PID_FILE.slice(0, length));
    expect(readPidFile(files)?.ready).toBe(false);
  }
});
