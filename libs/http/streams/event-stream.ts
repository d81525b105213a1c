import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { streamAnswer } from '../limits/bound-answers.js';

/** The media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream';

/** An answer of server-sent events (HTML standard, section 9.2), which lasts until one side ends it. */
export class EventStream {
  /** Aborted when the reader is gone, or the stream has ended. */
  readonly gone: AbortSignal;
  private readonly raw: ServerResponse;

  /** Begins the answer. No other answer can be given after it. */
  constructor(reply: FastifyReply) {
    const ends = new AbortController();
    this.gone = ends.signal;
    // Proxies that gather answers would hold back events.
    void reply
      .header('content-type', EVENT_STREAM)
      .header('cache-control', 'no-cache, no-transform')
      .header('x-accel-buffering', 'no')
      .hijack();
    this.raw = reply.raw;
    streamAnswer(reply);
    this.raw.once('close', () => ends.abort());
    this.raw.on('error', () => ends.abort());
    this.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    if (this.raw.closed) ends.abort();
  }

  /** Whether what was written has not left yet: write nothing more, as it would be kept in memory. */
  get isBehind(): boolean {
    return this.raw.writableNeedDrain;
  }

  write(text: string | Buffer): void {
    if (!this.gone.aborted) this.raw.write(text);
  }

  /** A line that readers skip: it shows both sides, and what is between them, that the other is there. */
  comment(text: string): void {
    this.write(`: ${text}\n\n`);
  }

  /** Resolves when what was written has left, or the reader is gone. */
  async caughtUp(): Promise<void> {
    if (!this.isBehind || this.gone.aborted) return;
    await once(this.raw, 'drain', { signal: this.gone }).catch(() => {});
  }

  end(): void {
    this.raw.end();
  }
}

/** An event as it is sent. `data` has no line breaks. */
export const eventFrame = (id: string, data: string): string => `id: ${id}\ndata: ${data}\n\n`;
