import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { WorkspaceQueries } from './workspace.queries.js';

const POLL_MS = 400;
/** Changes by other processes must be known within a second. */
const TRUSTED_MS = 900;
/** After this long without an answer the version is asked for on another connection. */
const SILENCE_MS = 5_000;

/**
 * Configuration in memory, so that checking a key or a custom field mostly costs no query. Polling one number shows changes
 * by other processes within a second; while that number cannot be read, nothing in memory is trusted.
 */
@Injectable()
export class WorkspaceCache implements OnModuleInit, OnApplicationShutdown {
  private entries = new Map<string, unknown>();
  private version = '';
  private timer?: NodeJS.Timeout;
  private isAsking = false;
  private askedAt = 0;
  /** When the known version was asked for, in milliseconds; Infinity where nobody polls. */
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

  /** The cached value, or what `load` finds. A missing record is not cached, so a new one is seen at once. */
  async get<Value>(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const kept = this.kept<Value>(key);
    if (kept !== undefined) return kept;
    const entries = this.entries;
    // Other requests see it, too.
    const loaded = await this.queries.database.onPrimary(load);
    // A value read before a change must not enter the cache after it: `clear` has replaced the map by then.
    if (loaded !== undefined && entries === this.entries) entries.set(key, loaded);
    return loaded;
  }

  clear(): void {
    this.entries = new Map();
  }

  /** While the version cannot be read nothing is trusted: a revoked key must not outlive an outage. */
  private async poll(): Promise<void> {
    if (this.isAsking) {
      // A connection whose other end vanished would never report it.
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
