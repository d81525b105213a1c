import { Semaphore, withTimeout } from 'async-mutex';

const KIB = 1024;
/** KiB of memory for mails that are being read. With those that are coming in they hold 128 MiB at most (contract, section 11). */
const ROOM = 104 * KIB;
/** Milliseconds that a mail waits on disk for its turn. Senders wait for minutes (RFC 5321, 4.5.3.2.6), what is before an HTTP server for one. */
const LONGEST_WAIT_MS = 45_000;
/** What a mail being read holds, for each byte: the bytes, their text, and what is found in them. */
const HELD_PER_BYTE = 4;

/** Too many mails came at once. Sending it again will help. */
export class NoTurn extends Error {
  constructor() {
    super('too many mails at once');
  }
}

/** Bounds the memory of mails that are being read, whatever door they came by. They have their turns in order. */
export class ReadingRoom {
  private readonly turns: Semaphore;

  constructor(private readonly limits = { room: ROOM, longestWaitMs: LONGEST_WAIT_MS }) {
    this.turns = withTimeout(new Semaphore(limits.room), limits.longestWaitMs, new NoTurn()) as Semaphore;
  }

  /** What `read` gives, for a mail of `size` bytes. Throws NoTurn when none comes in time. */
  async whileReading<Result>(size: number, read: () => Promise<Result>): Promise<Result> {
    const held = Math.min(Math.ceil((size * HELD_PER_BYTE) / KIB) + 1, this.limits.room);
    return this.turns.runExclusive(read, held);
  }
}
