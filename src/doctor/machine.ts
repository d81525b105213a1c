import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { connect, createServer, isIPv6 } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { SMTP_BANNER } from '../conversations/conversations.contract.js';
import { failed, type Finding, warning, ok } from './finding.js';

const MIB = 1024 * 1024;
/** A greeting takes time: the server first looks up the caller's name. */
const ANSWER_MS = 3_000;
/** A server that listens on every address is asked at the loopback address. */
const LOOPBACK: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Whether this user can write to the data directory. */
export function examineDataDirectory(dataDir: string): Finding {
  const check = 'data directory';
  const path = resolve(dataDir);
  const fix = 'Give it to this user (chown), or set PARLEY_DATA_DIR to a directory that is.';
  const existing = nearest(path);
  if (!statSync(existing).isDirectory())
    return failed(check, `${existing} is a file, and ${path} cannot be below it`, fix);
  const foreign = [path, join(path, 'postgres'), join(path, 'attachments')].find(belongsToAnother);
  if (foreign !== undefined)
    return failed(check, `${foreign} belongs to user id ${statSync(foreign).uid}, not to this one`, fix);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch {
    return failed(check, `${existing} cannot be written by this user`, fix);
  }
  if (existsSync(join(path, 'restore.unfinished')))
    return failed(check, `a restore into ${path} was cut off`, 'Empty the directory and restore again.');
  return ok(check, `${path} can be written`);
}

/** Root may write anything, and runs the database as the owner of its data. */
function belongsToAnother(path: string): boolean {
  const self = process.getuid?.();
  const found = statSync(path, { throwIfNoEntry: false });
  return self !== 0 && found !== undefined && found.uid !== self;
}

/** The path, or the closest existing directory above it. */
function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path));
}

/** Whether at least `wantedMib` are free on the disk of the data directory. */
export function examineDisk(dataDir: string, wantedMib: number): Finding {
  const { bavail, bsize } = statfsSync(nearest(resolve(dataDir)));
  const free = Math.floor((bavail * bsize) / MIB);
  if (free >= wantedMib) return ok('disk', `${free} MiB are free`);
  const detail = `${free} MiB are free for ${resolve(dataDir)}, less than ${wantedMib}`;
  return warning('disk', detail, 'Make room, or move PARLEY_DATA_DIR; without room PostgreSQL stops.');
}

/** Whether the port is free to listen on, or Parley already listens there. */
export async function examinePort(
  variable: 'PORT' | 'INBOUND_SMTP_PORT',
  port: number,
  host: string,
): Promise<Finding> {
  const check = 'port';
  const refusal = await listenRefusal(port, host);
  if (refusal === null) return ok(check, `${variable} ${port} is free`);
  const isParley = variable === 'PORT' ? isApi : isInboundSmtp;
  if (refusal === 'EADDRINUSE' && (await isParley(port, LOOPBACK[host] ?? host)))
    return ok(check, `Parley listens on ${port}`);
  if (refusal === 'EADDRINUSE')
    return failed(check, `${port} is taken by another program`, `Choose another one with ${variable}.`);
  return failed(check, `${host}:${port} cannot be listened on (${refusal})`, `Change ${variable} or HOST.`);
}

/** Why nobody can listen there (an error code); null when somebody can. */
export function listenRefusal(port: number, host: string): Promise<string | null> {
  return new Promise((settle) => {
    const probe = createServer();
    probe.once('error', ({ code, message }: NodeJS.ErrnoException) => settle(code ?? message));
    probe.listen({ port, host }, () => probe.close(() => settle(null)));
  });
}

async function isApi(port: number, host: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://${isIPv6(host) ? `[${host}]` : host}:${port}/health/live`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return answer.ok && answer.headers.has('x-request-id');
  } catch {
    return false;
  }
}

function isInboundSmtp(port: number, host: string): Promise<boolean> {
  return new Promise((settle) => {
    let greeting = '';
    const socket = connect({ port, host });
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => settle(/^220 \S+ ESMTP (.*)\r\n/.exec(greeting)?.[1] === SMTP_BANNER));
    socket.on('data', (chunk) => {
      greeting += String(chunk);
      if (greeting.includes('\n')) socket.destroy();
    });
  });
}

/** Whether a finished start left data, so that inspecting the embedded server does not create one. */
export const hasCluster = (dataDir: string): boolean => {
  const cluster = join(resolve(dataDir), 'postgres');
  return existsSync(cluster) && readdirSync(cluster).includes('PG_VERSION');
};
