import { inMicros, type Instant, microsOf, secondsOf } from '#kernel/instant.js';
import { offsetAt, transitionsBetween } from './time-zone.js';

/** ISO weekdays 1 (Monday) to 7, and local times `HH:MM`; `to` is excluded. */
export interface OpeningHours {
  days: number[];
  from: string;
  to: string;
}

const DAY = 86_400;
const WEEK = 7 * DAY;
/** 1969-12-29, the last Monday before 1970-01-01. */
const FIRST_MONDAY = -3 * DAY;

/**
 * When an organization works. An instant is in business hours when the clocks of the time zone show an open hour of an open
 * day.
 */
export class BusinessHours {
  /** Opening and closing in seconds after Monday, 00:00 of the local week. */
  private readonly openings: [from: number, to: number][];
  private readonly openPerWeek: number;

  constructor(
    private readonly timezone: string,
    { days, from, to }: OpeningHours,
  ) {
    this.openings = [...new Set(days)]
      .sort()
      .map((day) => (day - 1) * DAY)
      .map((midnight) => [midnight + timeOfDay(from), midnight + timeOfDay(to)]);
    this.openPerWeek = this.openings.reduce((sum, [start, end]) => sum + end - start, 0);
  }

  isOpen(at: Instant): boolean {
    return this.isOpenAt(this.local(secondsOf(at)));
  }

  /**
   * Microseconds of business hours between two instants: counted on a local clock that never jumps, then corrected for what
   * each change of the clocks in between skipped or showed twice.
   */
  microsBetween(from: Instant, to: Instant): bigint {
    const [start, end] = [secondsOf(from), secondsOf(to)];
    const [localStart, localEnd] = [this.local(start), this.local(end)];
    let seconds = this.openUntil(localEnd) - this.openUntil(localStart);
    for (const { at, before, after } of transitionsBetween(this.timezone, start, end))
      seconds -= this.openUntil(at + after) - this.openUntil(at + before);
    // Opening and closing fall on whole seconds, so a fraction of a second is either open or closed as a whole.
    const ofLast = this.isOpenAt(localEnd) ? microsOf(to) : 0;
    const ofFirst = this.isOpenAt(localStart) ? microsOf(from) : 0;
    return inMicros(seconds, ofLast - ofFirst);
  }

  private local(second: number): number {
    return second + offsetAt(this.timezone, second);
  }

  private isOpenAt(local: number): boolean {
    const inWeek = modulo(local - FIRST_MONDAY, WEEK);
    return this.openings.some(([from, to]) => from <= inWeek && inWeek < to);
  }

  /** Open seconds of a clock that never jumps, from the first Monday to this local time. */
  private openUntil(local: number): number {
    const since = local - FIRST_MONDAY;
    const inWeek = modulo(since, WEEK);
    let open = ((since - inWeek) / WEEK) * this.openPerWeek;
    for (const [from, to] of this.openings) open += clamp(inWeek - from, to - from);
    return open;
  }
}

function timeOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 3_600 + minutes * 60;
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
