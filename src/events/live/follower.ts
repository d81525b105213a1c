import { type Cursor, isAfter } from '#event-store/feed.js';
import { positionOf } from '#event-store/position.js';
import type { Admission } from '#http/access/caller.js';
import type { EventStream } from '#http/streams/event-stream.js';
import type { WantedEvents } from '../asked-events.js';
import type { Frames } from './frames.js';

/** Milliseconds between two comments; looked at once a second, so one comes each 15 seconds at the latest. */
const COMMENT_EVERY_MS = 14_000;

/** A reader of live events. */
export class Follower {
  /** Takes it out of those who get events as they happen. */
  leave: () => void = () => {};
  private commentAt = performance.now();

  /** `place`: everything wanted up to there has been sent. */
  constructor(
    readonly stream: EventStream,
    readonly wanted: WantedEvents,
    readonly admission: Admission,
    public place: Cursor,
  ) {}

  /** Sends the wanted ones of the events that lie between the reader's place and this one. */
  send(frames: Frames, upTo: Cursor): void {
    const wanted = frames.of(this.wanted, this.place);
    if (wanted.length > 0) this.stream.write(wanted);
    this.moveTo(upTo);
  }

  moveTo(place: Cursor): void {
    if (isAfter(place, this.place)) this.place = place;
  }

  /** Sends a comment when it is time for one. It has the place, from which one can go on where no event has come. */
  comment(now = performance.now()): void {
    if (now < this.commentAt) return;
    this.commentAt = now + COMMENT_EVERY_MS;
    if (!this.stream.isBehind) this.stream.comment(positionOf(this.place));
  }
}
