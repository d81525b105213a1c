import { parentPort } from 'node:worker_threads';
import type { IncomingMail } from './mail.js';
import { parseMail } from './parse-mail.js';

/** What the thread says of a mail: one or the other. */
export interface Report {
  mail?: IncomingMail;
  unreadable?: string;
}

async function read(raw: Uint8Array): Promise<Report> {
  try {
    return { mail: await parseMail(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)) };
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

async function readAll(raws: Uint8Array[]): Promise<void> {
  const reports: Report[] = [];
  for (const raw of raws) reports.push(await read(raw));
  parentPort!.postMessage(reports);
}

parentPort!.on('message', (raws: Uint8Array[]) => void readAll(raws));
// It can take mails.
parentPort!.postMessage([]);
