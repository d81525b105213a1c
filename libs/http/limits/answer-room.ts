import { Problem } from '../problems/problem.js';

/** What answers take in memory, in bytes. */
interface Taken {
  /** Answers that are ready, and that their readers have not taken yet. */
  unread: number;
  /** Estimates for requests under way: nobody knows yet how large their answers are. */
  expected: number;
}

interface Waiting {
  owner: string;
  bytes: number;
  admit: (room: Room) => void;
  refuse: (problem: Problem) => void;
}

/**
 * Bounds the memory that answers take, for each owner and in all. A request waits while those under way may leave room for
 * it. When answers that nobody reads fill the room, it is refused (503).
 */
export class AnswerRoom {
  private readonly all: Taken = { unread: 0, expected: 0 };
  private readonly byOwner = new Map<string, Taken>();
  private waiting: Waiting[] = [];

  /** The most bytes, for each owner and for all together. */
  constructor(private readonly most: { each: number; all: number }) {}

  /** Room for an answer of this estimated size. Gives a promise only when it must wait; throws the refusal. */
  enter(owner: string, bytes: number): Room | Promise<Room> {
    const full = this.fullFor(owner, bytes);
    if (full === null) return this.roomOf(owner, bytes);
    if (full.expected === 0) throw refusal();
    return new Promise((admit, refuse) => void this.waiting.push({ owner, bytes, admit, refuse }));
  }

  private roomOf(owner: string, bytes: number): Room {
    const own = this.byOwner.get(owner) ?? { unread: 0, expected: 0 };
    this.byOwner.set(owner, own);
    return new Room([own, this.all], bytes, () => {
      if (own.unread + own.expected === 0) this.byOwner.delete(owner);
      if (this.waiting.length > 0) this.letIn();
    });
  }

  /** What has no room for so many bytes more; null when all have. */
  private fullFor(owner: string, bytes: number): Taken | null {
    const own = this.byOwner.get(owner);
    if (own && own.unread + own.expected + bytes > this.most.each) return own;
    return this.all.unread + this.all.expected + bytes > this.most.all ? this.all : null;
  }

  private letIn(): void {
    this.waiting = this.waiting.filter(({ owner, bytes, admit, refuse }) => {
      const full = this.fullFor(owner, bytes);
      if (full === null) admit(this.roomOf(owner, bytes));
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
