import { exactMicros, type Instant } from '#kernel/instant.js';
import { offsetAt, transitionsBetween } from './time-zone.js';

/** ISO weekdays 1 (Monday) to 7 and local times `HH:MM`, the second one excluded. */
export interface OpeningHours {
  days: number[];
  from: string;
  to: string;
}

const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;
const WEEK = 7n * DAY;
/** 1969-12-29, a Monday, before 1970-01-01. */
const FIRST_MONDAY = -3n * DAY;

/** When an organization works. An instant is inside when the clocks of its time zone show an open hour of an open day. */
export class BusinessHours {
  /** Opening and closing in microseconds after Monday, 00:00 of the local week. */
  private readonly openings: [from: bigint, to: bigint][];
  private readonly openPerWeek: bigint;

  constructor(
    private readonly timezone: string,
    { days, from, to }: OpeningHours,
  ) {
    this.openings = [...new Set(days)]
      .sort()
      .map((day) => BigInt(day - 1) * DAY)
      .map((midnight) => [midnight + timeOfDay(from), midnight + timeOfDay(to)]);
    this.openPerWeek = this.openings.reduce((sum, [start, end]) => sum + end - start, 0n);
  }

  isOpen(at: Instant): boolean {
    const inWeek = modulo(this.local(exactMicros(at)) - FIRST_MONDAY, WEEK);
    return this.openings.some(([from, to]) => from <= inWeek && inWeek < to);
  }

  /**
   * Microseconds of business hours between two instants. By the local clock, as if it never jumped, and corrected
   * for what each change of the clocks in between has skipped (or shown twice).
   */
  microsBetween(from: Instant, to: Instant): bigint {
    const [start, end] = [exactMicros(from), exactMicros(to)];
    const jumps = transitionsBetween(this.timezone, seconds(start), seconds(end));
    const jumped = jumps.reduce((sum, { at, before, after }) => {
      const utc = BigInt(at) * SECOND;
      return (
        sum + this.openUntil(utc + BigInt(after) * SECOND) - this.openUntil(utc + BigInt(before) * SECOND)
      );
    }, 0n);
    return this.openUntil(this.local(end)) - this.openUntil(this.local(start)) - jumped;
  }

  private local(utc: bigint): bigint {
    return utc + BigInt(offsetAt(this.timezone, seconds(utc))) * SECOND;
  }

  /** Open microseconds of a clock that never jumps, from the first Monday to this local time. */
  private openUntil(local: bigint): bigint {
    const since = local - FIRST_MONDAY;
    const inWeek = modulo(since, WEEK);
    const thisWeek = this.openings.reduce((sum, [from, to]) => sum + clamp(inWeek - from, to - from), 0n);
    return ((since - inWeek) / WEEK) * this.openPerWeek + thisWeek;
  }
}

function timeOfDay(text: string): bigint {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return BigInt(hours * 3_600 + minutes * 60) * SECOND;
}

/** Whole seconds, rounded towards the past. */
const seconds = (micros: bigint): number => Number((micros - modulo(micros, SECOND)) / SECOND);

const modulo = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

const clamp = (value: bigint, most: bigint): bigint => (value < 0n ? 0n : value > most ? most : value);
