import { Worker } from 'node:worker_threads';
import type { Report } from './mail-parser.worker.js';
import type { RawMail } from './raw-mail.js';

/** The mail defeats the parser: it takes too much memory, has too many parts or headers, or took too long again. */
export class MailUnreadable extends Error {}

/** Reading took too long. Whether by the mail or by a busy machine, only another try can tell. */
export class MailTimedOut extends Error {}

/** A worker thread that parses mails, several at a time. It keeps the process alive only while it parses. */
export class MailThread {
  isDead = false;
  private readonly worker: Worker;
  private readonly started: Promise<Report[]>;
  private hasStarted = false;
  private awaited: { resolve(reports: Report[]): void; reject(error: Error): void } | null = null;

  /** @param entry the compiled mail-parser.worker; @param heap in MiB */
  constructor(entry: URL, heap: number) {
    this.worker = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: heap } });
    this.worker.unref();
    this.worker.on('message', (reports: Report[]) => this.awaited?.resolve(reports));
    this.worker.on('error', ({ message }) => this.fail(message));
    this.worker.on('exit', (code) => this.fail(`the parser exited with code ${code}`));
    this.started = this.report();
  }

  /**
   * Throws MailTimedOut when the mails took over `limit` ms, and MailUnreadable when one crashed the thread; it is dead then.
   */
  async parse(raws: RawMail[], limit: number): Promise<Report[]> {
    this.worker.ref();
    await this.started;
    this.hasStarted = true;
    const timer = setTimeout(() => this.end(new MailTimedOut(`not parsed within ${limit} ms`)), limit);
    try {
      const answer = this.report();
      // The thread reads files itself: their bytes are in memory once.
      const mails = await Promise.all(raws.map(async (raw) => raw.path ?? new Uint8Array(await raw.bytes())));
      this.worker.postMessage(
        mails,
        mails.flatMap((mail) => (typeof mail === 'string' ? [] : mail.buffer)),
      );
      return await answer;
    } finally {
      clearTimeout(timer);
      this.worker.unref();
    }
  }

  /** Mails being parsed fail with an error that does not blame the mail. */
  async stop(): Promise<void> {
    this.isDead = true;
    this.awaited?.reject(new Error('The mail parser is closed'));
    await this.worker.terminate();
  }

  private report(): Promise<Report[]> {
    return new Promise((resolve, reject) => (this.awaited = { resolve, reject }));
  }

  private fail(reason: string): void {
    this.end(this.hasStarted ? new MailUnreadable(reason) : new Error(`No mail parser: ${reason}`));
  }

  private end(error: Error): void {
    this.isDead = true;
    this.awaited?.reject(error);
    void this.worker.terminate();
  }
}
