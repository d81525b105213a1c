import { parentPort } from 'node:worker_threads';
import type { IncomingMail } from './mail.js';
import { parseMail } from './parse-mail.js';

/** What the thread says: first, with neither, that it can take mails; then one or the other about each. */
export interface Report {
  mail?: IncomingMail;
  unreadable?: string;
}

const report = (message: Report) => parentPort!.postMessage(message);

parentPort!.on('message', (raw: Uint8Array) => {
  parseMail(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)).then(
    (mail) => report({ mail }),
    (error: unknown) => report({ unreadable: error instanceof Error ? error.message : String(error) }),
  );
});
report({});
