import { MailThread, MailTimedOut, MailUnreadable } from './mail-thread.js';
import type { IncomingMail } from './mail.js';
import type { RawMail } from './raw-mail.js';

export { MailTimedOut, MailUnreadable };

export class MailTooLarge extends Error {}

export interface MailParserOptions {
  /** Bytes of a whole mail, with attachments still encoded. */
  maxBytes: number;
  /** Milliseconds for a small mail from when a thread takes it, and a tenth more for each MiB. Default 5,000. */
  maxDuration?: number;
  /** MiB of JavaScript heap for each thread. Default 256. */
  maxHeap?: number;
  /** How many mails are parsed at a time. Default 2. */
  threads?: number;
  /** The compiled mail-parser.worker: under Jest it is not beside this file. */
  entry?: URL;
}

/**
 * Bytes up to which a mail is small, and how many small mails a thread gets at once: handing over costs as much as parsing
 * one.
 */
const SMALL = 64 * 1024;
const TOGETHER = 8;
/** Bytes of a mail after which its thread ends: that would keep hundreds of MiB, and a new one takes 0.2 s to start. */
const LARGE = 2 * 1024 * 1024;

/** How many mails that timed out are remembered: each has cost seconds, so these are the ones of hours. */
const MOST_REMEMBERED = 1_000;

interface Request {
  raw: RawMail;
  isAlone: boolean;
  resolve: (mail: IncomingMail) => void;
  reject: (error: Error) => void;
}

const DEFAULTS = {
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
  private queue: Request[] = [];
  /** Hashes of mails that timed out once, the oldest first. */
  private readonly timedOut = new Set<string>();
  private isClosed = false;
  private gathering: NodeJS.Immediate | null = null;

  constructor(options: MailParserOptions) {
    this.options = { ...DEFAULTS, ...options };
  }

  /**
   * Throws MailTooLarge or MailUnreadable: sending the mail again will not help. Throws MailTimedOut when the mail took too
   * long for the first time; the second time it is unreadable.
   */
  async parse(raw: RawMail): Promise<IncomingMail> {
    const { maxBytes } = this.options;
    if (raw.size > maxBytes)
      throw new MailTooLarge(`The mail has ${raw.size} bytes, over the limit of ${maxBytes}`);
    if (this.isClosed) throw closed();
    return new Promise((resolve, reject) => {
      this.queue.push({ raw, isAlone: raw.size > SMALL, resolve, reject });
      // Waits for the other mails of this turn of the event loop.
      this.gathering ??= setImmediate(() => this.next());
    });
  }

  /** Ends all threads. Mails that are not parsed by then fail. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { reject } of this.queue.splice(0)) reject(closed());
    await Promise.all([...this.threads].map((thread) => thread.stop()));
  }

  private next(): void {
    if (this.gathering) clearImmediate(this.gathering);
    this.gathering = null;
    while (this.queue.length > 0) {
      const thread = this.idleThread();
      if (!thread) return;
      void this.run(thread, this.takeSome());
    }
  }

  /** An idle thread, or a new one if the limit allows; null when all are busy. */
  private idleThread(): MailThread | null {
    for (let idle = this.idle.pop(); idle; idle = this.idle.pop()) {
      if (!idle.isDead) return idle;
      this.threads.delete(idle);
    }
    return this.threads.size < this.options.threads ? this.start() : null;
  }

  /** The longest waiting mail, with those behind it that go together. */
  private takeSome(): Request[] {
    const others = this.queue.findIndex(({ isAlone }, nr) => isAlone || nr === TOGETHER);
    return this.queue.splice(0, others === -1 ? this.queue.length : Math.max(others, 1));
  }

  /** Never throws: each request is told how it went. */
  private async run(thread: MailThread, requests: Request[]): Promise<void> {
    try {
      const raws = requests.map(({ raw }) => raw);
      const reports = await thread.parse(raws, this.durationFor(raws));
      requests.forEach(({ resolve, reject }, nr) => {
        const { mail, unreadable } = reports[nr]!;
        if (mail) resolve(mail);
        else reject(new MailUnreadable(unreadable));
      });
    } catch (error) {
      // One of the mails caused this, and the others must not fail with it: parse each alone.
      const isByMail = error instanceof MailUnreadable || error instanceof MailTimedOut;
      if (isByMail && requests.length > 1)
        this.queue.unshift(...requests.map((request) => ({ ...request, isAlone: true })));
      else if (error instanceof MailTimedOut)
        for (const { raw, reject } of requests)
          reject(this.isRepeated(raw) ? new MailUnreadable(error.message) : error);
      else for (const { reject } of requests) reject(error as Error);
    }
    if (requests.some(({ raw }) => raw.size > LARGE)) await thread.stop();
    if (thread.isDead) this.threads.delete(thread);
    else this.idle.push(thread);
    this.next();
  }

  /** Whether these bytes have timed out before. Remembers them; a third time counts as a first again. */
  private isRepeated({ sha256 }: RawMail): boolean {
    if (this.timedOut.delete(sha256)) return true;
    this.timedOut.add(sha256);
    const [oldest] = this.timedOut;
    if (this.timedOut.size > MOST_REMEMBERED) this.timedOut.delete(oldest!);
    return false;
  }

  /** Reading 25 MiB on a busy machine takes seconds, and a mail that we give up on is lost to its sender. */
  private durationFor(raws: RawMail[]): number {
    const mebibytes = raws.reduce((sum, { size }) => sum + size, 0) / (1024 * 1024);
    return Math.round(this.options.maxDuration * (1 + mebibytes / 10));
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
