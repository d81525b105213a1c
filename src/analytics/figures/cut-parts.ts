import type { Instant } from '#kernel/instant.js';
import type { Interval } from '../facts/calendar.js';
import { beginningOf, firstAtOrAfter, type Unit } from './window-slices.js';

/** What a bucket has (`sign` 1) or has not (-1) beside its whole periods. */
export interface Correction {
  number: number;
  sign: number;
  begins: Instant;
  ends: Instant;
}

/**
 * A window that is cut into buckets, as sums of whole periods. A bucket has those from the period's beginning that is nearest
 * to its first cut until the one that is nearest to its second, and is corrected by what lies between each cut and that.
 */
export interface CutParts {
  /** The unit of these periods. */
  unit: Unit;
  /** The beginning of a period nearest to each cut. */
  nearest: Instant[];
  /** Whole days, whole hours and parts of an hour. */
  days: Correction[];
  hours: Correction[];
  edges: Correction[];
}

/** Periods that are not much shorter than a bucket, so that there are few of them, nor much longer: each wants a correction. */
const UNIT: Record<Interval, Unit> = { hour: 'hour', day: 'day', week: 'day', month: 'month' };

export function cutParts(cuts: Instant[], interval: Interval): CutParts {
  const unit = UNIT[interval];
  const parts: CutParts = { unit, nearest: [], days: [], hours: [], edges: [] };
  cuts.forEach((cut, nr) => {
    let at = cut;
    const round = (to: Unit, corrections: Correction[]) => {
      const rounded = nearest(to, at);
      if (rounded !== at) corrections.push(...between(rounded, at, nr, cuts.length - 1));
      at = rounded;
    };
    round('hour', parts.edges);
    if (unit !== 'hour') round('day', parts.hours);
    if (unit === 'month') round('month', parts.days);
    parts.nearest.push(at);
  });
  return parts;
}

/** The corrections of the bucket that ends with the cut and, the other way round, of the one that begins there. */
function between(rounded: Instant, at: Instant, cut: number, buckets: number): Correction[] {
  const isLater = rounded < at;
  const [begins, ends] = isLater ? [rounded, at] : [at, rounded];
  return [
    { number: cut - 1, sign: isLater ? 1 : -1, begins, ends },
    { number: cut, sign: isLater ? -1 : 1, begins, ends },
  ].filter(({ number }) => number >= 0 && number < buckets);
}

/** The beginning of the period that holds the instant, or the next one's if that is nearer. */
function nearest(unit: Unit, instant: Instant): Instant {
  const beginning = beginningOf(unit, instant);
  const next = firstAtOrAfter(unit, instant);
  if (next === null) return beginning;
  const at = Date.parse(instant);
  return Date.parse(next) - at < at - Date.parse(beginning) ? next : beginning;
}
