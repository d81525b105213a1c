import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Instant, now } from '#kernel/instant.js';
import { WorkspaceQueries } from './workspace.queries.js';

const LOOK_MS = 1_000;
/** Milliseconds between writes for a key in steady use. */
const WRITE_MS = 60_000;

/** Remembers when keys are used and writes it regularly, outside of requests. */
@Injectable()
export class KeyUsage implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger('key usage');
  /** By key, the latest use not written yet, and when one was last written (steady milliseconds). */
  private readonly used = new Map<string, Instant>();
  private readonly written = new Map<string, number>();
  private timer?: NodeJS.Timeout;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly queries: WorkspaceQueries) {}

  onModuleInit(): void {
    this.timer = setInterval(() => this.look(WRITE_MS), LOOK_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.look(0);
    await this.writing;
  }

  note(keyId: string): void {
    this.used.set(keyId, now());
  }

  /** Writes the uses of keys that were last written longer than `pause` ago. */
  private look(pause: number): void {
    const looked = performance.now();
    const due = [...this.used].filter(([keyId]) => (this.written.get(keyId) ?? -Infinity) <= looked - pause);
    if (due.length === 0) return;
    for (const [keyId] of due) {
      this.used.delete(keyId);
      this.written.set(keyId, looked);
    }
    const uses = due.map(([key_id, at]) => ({ key_id, last_used_at: at }));
    this.writing = this.writing
      .then(() => this.queries.saveKeyUses(uses))
      .catch((error: unknown) => this.log.warn(`not written: ${String(error)}`));
  }
}
