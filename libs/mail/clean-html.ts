import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { HtmlToClean } from './html.worker.js';
import { safeHtml, safeMailHtml } from './safe-html.js';

/** Characters that are cleaned at once: some 20 ms, however they are made. More would hold up whoever waits for the process. */
const SMALL = 20_000;
/** Milliseconds for one text: some ten times what the worst of a million characters takes. */
const LONGEST = 8_000;
/** MiB of JavaScript heap for each thread. */
const HEAP = 512;
const MOST_THREADS = 2;
/** Characters of a text after which its thread ends: that would keep hundreds of MiB, and a new one takes 0.2 s to start. */
const LARGE = 200_000;

/** Cleaning took too long, or too much memory. */
export class HtmlTooHard extends Error {}

interface Job extends HtmlToClean {
  resolve: (safe: string | null) => void;
  reject: (error: Error) => void;
}

/** Under Jest there are the sources alone, and texts are cleaned at once. */
const ENTRY = new URL('./html.worker.js', import.meta.url);
let isCompiled: boolean | null = null;

const queue: Job[] = [];
const idle: HtmlThread[] = [];
let threads = 0;

/**
 * The HTML by `safeHtml`, or by `safeMailHtml` when it was exchanged, with long texts in a thread of their own. Null for more than
 * 50,000 tags. Throws `HtmlTooHard`.
 */
export async function cleanHtml(
  html: string,
  { isExchanged }: { isExchanged: boolean },
): Promise<string | null> {
  if (html.length <= SMALL || !(isCompiled ??= existsSync(fileURLToPath(ENTRY))))
    return isExchanged ? safeMailHtml(html) : safeHtml(html);
  return new Promise((resolve, reject) => {
    queue.push({ html, isExchanged, resolve, reject });
    next();
  });
}

function next(): void {
  while (queue.length > 0 && (idle.length > 0 || threads < MOST_THREADS)) {
    const thread = idle.pop() ?? new HtmlThread();
    thread.run(queue.shift()!);
  }
}

/** A thread that cleans one text after the other. It keeps the process alive only meanwhile. */
class HtmlThread {
  private readonly worker = new Worker(ENTRY, { resourceLimits: { maxOldGenerationSizeMb: HEAP } });
  private job: Job | null = null;
  private timer?: NodeJS.Timeout;

  constructor() {
    threads++;
    this.worker.on('message', (safe: string | null) => {
      const job = this.ended();
      // It was given up on a moment ago.
      if (job === null) return;
      if (job.html.length > LARGE) this.end();
      else idle.push(this);
      next();
      job.resolve(safe);
    });
    this.worker.on('error', () => this.fail());
  }

  run(job: Job): void {
    this.job = job;
    this.worker.ref();
    this.timer = setTimeout(() => this.fail(), LONGEST);
    const { html, isExchanged } = job;
    this.worker.postMessage({ html, isExchanged } satisfies HtmlToClean);
  }

  private fail(): void {
    const job = this.ended();
    // What ends a thread ends it twice: the time that is up, and then its end.
    if (job === null) return;
    this.end();
    next();
    job.reject(new HtmlTooHard());
  }

  private end(): void {
    threads--;
    void this.worker.terminate();
  }

  private ended(): Job | null {
    clearTimeout(this.timer);
    this.worker.unref();
    const { job } = this;
    this.job = null;
    return job;
  }
}
