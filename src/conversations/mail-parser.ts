import { MailThread, MailUnreadable } from './mail-thread.js';
import type { IncomingMail } from './mail.js';

export { MailUnreadable };

export class MailTooLarge extends Error {}

export interface MailParserOptions {
  /** Bytes of a whole mail, attachments as they travel. Default 25 MiB. */
  maxBytes?: number;
  /** Milliseconds for one mail, counted from when a thread takes it. Default 5,000. */
  maxDuration?: number;
  /** MiB of JavaScript heap for each thread. Default 256. */
  maxHeap?: number;
  /** How many mails are parsed at a time. Default 2. */
  threads?: number;
  /** The compiled mail-parser.worker, which under Jest is not beside this file. */
  entry?: URL;
}

const DEFAULTS = {
  maxBytes: 25 * 1024 * 1024,
  maxDuration: 5_000,
  maxHeap: 256,
  threads: 2,
  entry: new URL('./mail-parser.worker.js', import.meta.url),
};

/** Parses mail from strangers in threads of their own, where it can neither stall nor exhaust the process. */
export class MailParser {
  private readonly options: Required<MailParserOptions>;
  private readonly threads = new Set<MailThread>();
  private readonly idle: MailThread[] = [];
  private readonly queue: { resolve: (thread: MailThread) => void; reject: (error: Error) => void }[] = [];
  private isClosed = false;

  constructor(options: MailParserOptions = {}) {
    this.options = { ...DEFAULTS, ...options };
  }

  /** Throws MailTooLarge or MailUnreadable, which say that sending the mail again will not help. */
  async parse(raw: Uint8Array): Promise<IncomingMail> {
    const { maxBytes, maxDuration } = this.options;
    if (raw.byteLength > maxBytes)
      throw new MailTooLarge(`The mail has ${raw.byteLength} bytes, over the limit of ${maxBytes}`);
    const thread = await this.take();
    try {
      return await thread.parse(raw, maxDuration);
    } finally {
      this.giveBack(thread);
    }
  }

  /** Ends all threads; mails not parsed by then fail. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { reject } of this.queue.splice(0)) reject(closed());
    await Promise.all([...this.threads].map((thread) => thread.stop()));
  }

  private async take(): Promise<MailThread> {
    if (this.isClosed) throw closed();
    const idle = this.idle.pop();
    if (idle && !idle.isDead) return idle;
    if (idle) this.threads.delete(idle);
    if (this.threads.size < this.options.threads) return this.start();
    return new Promise((resolve, reject) => this.queue.push({ resolve, reject }));
  }

  private giveBack(thread: MailThread): void {
    if (thread.isDead) this.threads.delete(thread);
    const next = this.queue.shift();
    if (next) next.resolve(thread.isDead ? this.start() : thread);
    else if (!thread.isDead) this.idle.push(thread);
  }

  private start(): MailThread {
    const thread = new MailThread(this.options.entry, this.options.maxHeap);
    this.threads.add(thread);
    return thread;
  }
}

function closed(): Error {
  return new Error('The mail parser is closed');
}
