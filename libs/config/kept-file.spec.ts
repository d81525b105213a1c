import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { keepOnce, writeWhole } from './kept-file.js';
import { existingSecretKey, secretKeyOf } from './secret-key.js';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'parley-kept-'))));
afterEach(() => rmSync(directory, { recursive: true }));

describe('a file that is made once', () => {
  it('is what the first has made, for its owner alone, with nothing left beside it', () => {
    const path = join(directory, 'below', 'key');
    expect([keepOnce(path, () => 'one'), keepOnce(path, () => 'two')]).toEqual(['one', 'one']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(directory, 'below'))).toEqual(['key']);
  });

  it('is refused when it is empty, which a full disk leaves behind', () => {
    const path = join(directory, 'key');
    writeFileSync(path, '');
    expect(() => keepOnce(path, () => 'one')).toThrow(`${path} is empty`);
  });

  it('is never seen half made by another that looks for it', async () => {
    const paths = Array.from({ length: 200 }, (_, nr) => join(directory, `${nr}`));
    const makes = `
      const { existsSync, readFileSync } = require('node:fs');
      const { workerData: paths, parentPort } = require('node:worker_threads');
      parentPort.postMessage('ready');
      parentPort.postMessage(paths.map((path) => { while (!existsSync(path)); return readFileSync(path, 'utf8'); }));`;
    const worker = new Worker(makes, { eval: true, workerData: paths });
    const said = () => new Promise((resolve) => worker.once('message', resolve));
    await said();
    const read = said();
    const made = paths.map((path) => keepOnce(path, () => path.repeat(1_000)));
    expect(await read).toEqual(made);
  });
});

it('a file that is written whole takes the place of the one before', () => {
  const path = join(directory, 'file');
  writeWhole(path, 'one');
  writeWhole(path, 'two');
  expect([readFileSync(path, 'utf8'), readdirSync(directory)]).toEqual(['two', ['file']]);
});

describe('the secret key', () => {
  it('is made once, and read where none is made', () => {
    expect(existingSecretKey(null, directory)).toBeNull();
    const key = secretKeyOf(null, directory);
    expect(key).toHaveLength(32);
    expect(existingSecretKey(null, directory)).toEqual(key);
  });

  it('is refused where its file holds something else', () => {
    writeFileSync(join(directory, 'secret.key'), 'abc');
    expect(() => secretKeyOf(null, directory)).toThrow('does not hold 64 hexadecimal digits');
  });
});
