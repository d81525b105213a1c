import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { WorkspaceQueries } from './workspace.queries.js';

const POLL_MS = 400;
/** What was changed elsewhere must be known within a second. */
const TRUSTED_MS = 900;
/** After this long without an answer it is asked for on another connection. */
const SILENCE_MS = 5_000;

/**
 * Configuration kept in memory, so that checking a key or a custom field costs no query in the steady state.
 * A change made by another process is seen within a second, by polling one number; when that cannot be had, nothing is
 * trusted.
 */
@Injectable()
export class WorkspaceCache implements OnModuleInit, OnApplicationShutdown {
  private entries = new Map<string, unknown>();
  private version = '';
  private timer?: NodeJS.Timeout;
  private isAsking = false;
  private askedAt = 0;
  /** When the version was last asked for that we know, in milliseconds; for ever where nobody polls. */
  private knownAt = Infinity;

  constructor(private readonly queries: WorkspaceQueries) {}

  async onModuleInit(): Promise<void> {
    this.knownAt = -Infinity;
    await this.poll();
    this.timer = setInterval(() => void this.poll(), POLL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.queries.close();
  }

  /** The cached value, if there is one. */
  kept<Value>(key: string): Value | undefined {
    if (performance.now() - this.knownAt > TRUSTED_MS) return undefined;
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
    if (this.isAsking) {
      // A connection whose other end is gone without a word would never tell.
      if (performance.now() - this.askedAt > SILENCE_MS) this.queries.close();
      return;
    }
    this.isAsking = true;
    const askedAt = (this.askedAt = performance.now());
    try {
      const version = await this.queries.version();
      if (version !== this.version) this.clear();
      this.version = version;
      this.knownAt = askedAt;
    } catch {
      this.clear();
    } finally {
      this.isAsking = false;
    }
  }
}
