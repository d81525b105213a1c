import { parentPort } from 'node:worker_threads';
import type { IncomingMail } from './mail.js';
import { parseMail } from './parse-mail.js';

/** The thread's answer for one mail: either field, not both. */
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
// Tells that the thread is ready for mails.
parentPort!.postMessage([]);
