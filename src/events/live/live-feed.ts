import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { type Cursor, isAfter } from '#event-store/feed.js';
import type { Follower } from './follower.js';
import type { Frames } from './frames.js';

/** How an organization's feed is read. */
export interface FeedReader {
  /** The end of what can be read now. */
  end(): Promise<Cursor>;
  /** What comes after a place, as much as is sent at once. */
  after(place: Cursor): Promise<{ frames: Frames; next: Cursor; isEmpty: boolean }>;
  /** Waits so many milliseconds, or until something is committed in the organization, which gives true. */
  rest(milliseconds: number, gone: AbortSignal): Promise<boolean>;
}

/** Pauses between looks, in milliseconds: short after a commit of this process, longer for other processes' commits. */
const SHORTEST_PAUSE = 20;
const LONGEST_PAUSE = 500;

/**
 * Looks that follow commits keep a distance, so that what many write goes to each reader at once. Of 1,000 readers, each event
 * alone would take 10 ms of the process.
 */
const SHORTEST_DISTANCE = 100;
const LONGEST_DISTANCE = 300;
const DISTANCE_PER_READER = 0.2;
/** Readers to send to before other requests have their turn. */
const SENT_AT_ONCE = 20;

/** The end of an organization's feed, read once for all who follow it. */
export class LiveFeed {
  private readonly followers = new Set<Follower>();
  private readonly stopped = new AbortController();
  private place: Cursor | null = null;
  private started?: Promise<Cursor>;

  constructor(private readonly reader: FeedReader) {}

  /** How far it has been read; begins to read at its present end. */
  async reached(): Promise<Cursor> {
    if (this.place !== null) return this.place;
    this.started ??= this.start().finally(() => (this.started = undefined));
    return this.started;
  }

  stop(): void {
    this.stopped.abort();
  }

  /**
   * Sends the follower what comes from now on, until it is behind or gone. Does nothing where the feed has been read further
   * than the follower is: it must read up to there first.
   */
  async follow(follower: Follower): Promise<void> {
    const { gone } = follower.stream;
    if (gone.aborted || this.place === null || isAfter(this.place, follower.place)) return;
    this.followers.add(follower);
    await new Promise<void>((resolve) => {
      follower.leave = () => {
        gone.removeEventListener('abort', follower.leave);
        this.followers.delete(follower);
        resolve();
      };
      gone.addEventListener('abort', follower.leave);
    });
  }

  private get distance(): number {
    return Math.min(LONGEST_DISTANCE, SHORTEST_DISTANCE + this.followers.size * DISTANCE_PER_READER);
  }

  private async start(): Promise<Cursor> {
    const place = await this.reader.end();
    this.place = place;
    void this.readOn();
    return place;
  }

  private async readOn(): Promise<void> {
    const { signal } = this.stopped;
    for (let pause = SHORTEST_PAUSE; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const looked = performance.now();
      if (await this.readPage()) pause = SHORTEST_PAUSE / 2;
      // The feed shows a new commit only after every older transaction has ended, so another look may be needed.
      if (await this.reader.rest(pause, signal)) pause = SHORTEST_PAUSE / 2;
      const early = looked + this.distance - performance.now();
      if (early > 0 && !signal.aborted) await sleep(early);
    }
  }

  /** Whether there was anything. While the database is away there is nothing. */
  private async readPage(): Promise<boolean> {
    const page = await this.reader.after(this.place!).catch(() => null);
    if (page === null || page.isEmpty) return false;
    // From here on a follower that has not read these events cannot join; those that are here get them.
    this.place = page.next;
    let sent = 0;
    for (const follower of [...this.followers]) {
      if (++sent % SENT_AT_ONCE === 0) await turn();
      // It goes on by itself, from its own place, once it has taken what it got.
      if (follower.stream.isBehind) follower.leave();
      else if (this.followers.has(follower)) follower.send(page.frames, page.next);
    }
    return true;
  }
}
