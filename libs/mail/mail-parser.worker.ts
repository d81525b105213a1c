import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import type { IncomingMail } from './mail.js';
import { parseMail } from './parse-mail.js';

/** The thread's answer for one mail: either field, not both. */
export interface Report {
  mail?: IncomingMail;
  unreadable?: string;
}

/** Of the bytes, or of the file of this path. */
async function read(mail: Uint8Array | string): Promise<Report> {
  try {
    const raw = typeof mail === 'string' ? await readFile(mail) : Buffer.from(mail.buffer);
    return { mail: await parseMail(raw) };
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

async function readAll(mails: (Uint8Array | string)[]): Promise<void> {
  const reports: Report[] = [];
  for (const mail of mails) reports.push(await read(mail));
  parentPort!.postMessage(reports);
}

parentPort!.on('message', (mails: (Uint8Array | string)[]) => void readAll(mails));
// Tells that the thread is ready for mails.
parentPort!.postMessage([]);
