import { Problem } from '../problems/problem.js';

/** What answers take in memory, in bytes. */
interface Taken {
  /** Answers that are ready, and that their readers have not taken yet. */
  unread: number;
  /** Estimates for requests under way: nobody knows yet how large their answers are. */
  expected: number;
}

/** Whose answers count together, and how many bytes of them at most. */
export interface Share {
  owner: string;
  most: number;
}

interface Waiting {
  shares: Share[];
  bytes: number;
  admit: (room: Room) => void;
  refuse: (problem: Problem) => void;
}

/**
 * Bounds the memory that answers take, for each share and in all. A request waits while those under way may leave room for
 * it. When answers that nobody reads fill the room, it is refused (503).
 */
export class AnswerRoom {
  private readonly all: Taken = { unread: 0, expected: 0 };
  private readonly byOwner = new Map<string, Taken>();
  private waiting: Waiting[] = [];

  /** The most bytes for all together. */
  constructor(private readonly most: number) {}

  /** Room for an answer of this estimated size, in each of its shares. Gives a promise only when it must wait; throws the refusal. */
  enter(shares: Share[], bytes: number): Room | Promise<Room> {
    const full = this.fullFor(shares, bytes);
    if (full === null) return this.roomOf(shares, bytes);
    if (full.expected === 0) throw refusal();
    return new Promise((admit, refuse) => void this.waiting.push({ shares, bytes, admit, refuse }));
  }

  private roomOf(shares: Share[], bytes: number): Room {
    const own = shares.map(({ owner }) => this.takenBy(owner));
    return new Room([...own, this.all], bytes, () => {
      shares.forEach(({ owner }, nr) => {
        if (own[nr]!.unread + own[nr]!.expected === 0) this.byOwner.delete(owner);
      });
      if (this.waiting.length > 0) this.letIn();
    });
  }

  private takenBy(owner: string): Taken {
    const known = this.byOwner.get(owner);
    if (known) return known;
    const taken = { unread: 0, expected: 0 };
    this.byOwner.set(owner, taken);
    return taken;
  }

  /** What has no room for so many bytes more; null when all have. */
  private fullFor(shares: Share[], bytes: number): Taken | null {
    for (const { owner, most } of shares) {
      const own = this.byOwner.get(owner);
      if (own && own.unread + own.expected + bytes > most) return own;
    }
    return this.all.unread + this.all.expected + bytes > this.most ? this.all : null;
  }

  private letIn(): void {
    this.waiting = this.waiting.filter(({ shares, bytes, admit, refuse }) => {
      const full = this.fullFor(shares, bytes);
      if (full === null) admit(this.roomOf(shares, bytes));
      else if (full.expected === 0) refuse(refusal());
      else return true;
      return false;
    });
  }
}

/** The room of one request, until its answer has left. */
export class Room {
  private unread = 0;
  private isFree = false;

  constructor(
    private readonly taken: Taken[],
    private expected: number,
    private readonly changed: () => void,
  ) {
    for (const one of taken) one.expected += expected;
  }

  /** The answer is ready, and this large. Its reader may be gone already. */
  isReady(bytes: number): void {
    if (!this.isFree) this.set(0, bytes);
  }

  /** It has left, or its reader is gone. */
  free(): void {
    this.isFree = true;
    this.set(0, 0);
  }

  private set(expected: number, unread: number): void {
    for (const one of this.taken) {
      one.expected += expected - this.expected;
      one.unread += unread - this.unread;
    }
    [this.expected, this.unread] = [expected, unread];
    this.changed();
  }
}

const refusal = (): Problem =>
  new Problem(
    503,
    'unavailable',
    'Too many answers wait here for their readers; read those that you have asked for, then try again.',
    { headers: { 'Retry-After': '1' } },
  );
