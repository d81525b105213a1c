import type { EventEmitter } from 'node:events';

const LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Turns what many connections tell of their ends and attempts into one word when Redis goes and one when it is back. */
export class RedisWatch {
  private readonly closed = new Set<EventEmitter>();
  private isStopped = false;

  constructor(private readonly onChange: (isUp: boolean) => void) {}

  /** Watches a connection that makes itself anew when it is lost. */
  watch(connection: EventEmitter): void {
    connection.on('close', () => {
      if (this.isStopped) return;
      const wasUp = this.closed.size === 0;
      this.closed.add(connection);
      if (wasUp) this.onChange(false);
    });
    connection.on('ready', () => {
      if (this.closed.delete(connection) && this.closed.size === 0) this.onChange(true);
    });
  }

  /** Whether the error says only that Redis is away, which has been or will be told. */
  covers(error: Error & { code?: string }): boolean {
    return this.closed.size > 0 || LOST.has(error.code ?? '');
  }

  /** Connections that end from now on are meant to. */
  stop(): void {
    this.isStopped = true;
  }
}
