import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { WorkspaceQueries } from './workspace.queries.js';

const POLL_MS = 400;

/**
 * Configuration kept in memory, so that checking a key or a custom field costs no query in the steady state.
 * A change made by another process is seen within a second, by polling one number.
 */
@Injectable()
export class WorkspaceCache implements OnModuleInit, OnApplicationShutdown {
  private entries = new Map<string, unknown>();
  private version = '';
  private timer?: NodeJS.Timeout;

  constructor(private readonly queries: WorkspaceQueries) {}

  async onModuleInit(): Promise<void> {
    this.version = await this.queries.version();
    this.timer = setInterval(() => void this.poll(), POLL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** The cached value, if there is one. */
  kept<Value>(key: string): Value | undefined {
    return this.entries.get(key) as Value | undefined;
  }

  /** The cached value, or what `load` finds. What is not there is not kept, so a new record is seen at once. */
  async get<Value>(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const kept = this.kept<Value>(key);
    if (kept !== undefined) return kept;
    const entries = this.entries;
    const loaded = await load();
    // A value read before a change must not enter the cache after it: `clear` has put a new map in place by then.
    if (loaded !== undefined && entries === this.entries) entries.set(key, loaded);
    return loaded;
  }

  clear(): void {
    this.entries = new Map();
  }

  /** When the version cannot be read, nothing may be trusted: a revoked key must not outlive an outage. */
  private async poll(): Promise<void> {
    try {
      const version = await this.queries.version();
      if (version !== this.version) this.clear();
      this.version = version;
    } catch {
      this.clear();
    }
  }
}
