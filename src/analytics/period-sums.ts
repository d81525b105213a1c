import type { Instant } from '#kernel/instant.js';
import { beginningOf, periodOf } from './slices.js';

/** A table of sums per period: what tells its rows apart besides organization, unit and period, and what is summed. */
export interface PeriodTable {
  table: string;
  key: readonly string[];
  counters: readonly string[];
}

/** Sums to add to a row; `lessens`: one of them is negative, so that nothing may be left of it. */
export interface Addition {
  row: object;
  lessens: boolean;
}

type Key = readonly (string | number)[];

interface Sums<Counted> {
  at: Instant;
  key: Key;
  sums: Counted[];
}

const LONGER_UNITS = ['day', 'month'] as const;

/** Adds up, by hour, day and month (UTC), what is counted at instants. */
export class PeriodSums<Counted extends number | bigint = number> {
  private readonly hours = new Map<string, Sums<Counted>>();
  private readonly zeros: Counted[];

  constructor(
    readonly table: PeriodTable,
    zero: Counted,
  ) {
    this.zeros = table.counters.map(() => zero);
  }

  /** The sums of the hour that holds `at`, in the order of the table's counters, to be added to. */
  of(at: Instant, ...key: Key): Counted[] {
    return sumsOf(this.hours, this.zeros, 'hour', at, key);
  }

  /** A row for each unit and period; periods in which nothing has changed are left out. */
  additions(organization_id: string): Addition[] {
    const byUnit = [
      ['hour', this.hours] as const,
      ...LONGER_UNITS.map((unit) => [unit, this.by(unit)] as const),
    ];
    return byUnit.flatMap(([unit, periods]) =>
      [...periods.values()]
        .filter(({ sums }) => sums.some((sum) => BigInt(sum) !== 0n))
        .map(({ at, key, sums }) => ({
          row: this.rowOf(organization_id, unit, at, key, sums),
          lessens: sums.some((sum) => sum < 0),
        })),
    );
  }

  private by(unit: 'day' | 'month'): Map<string, Sums<Counted>> {
    const periods = new Map<string, Sums<Counted>>();
    for (const { at, key, sums } of this.hours.values()) {
      const longer = sumsOf(periods, this.zeros, unit, at, key);
      sums.forEach((sum, index) => (longer[index] = plus(longer[index]!, sum)));
    }
    return periods;
  }

  private rowOf(organization_id: string, unit: string, at: Instant, key: Key, sums: Counted[]): object {
    const row: Record<string, unknown> = { organization_id, unit, at };
    this.table.key.forEach((column, index) => (row[column] = key[index]));
    // A bigint is none of JSON's numbers; PostgreSQL reads it from text.
    this.table.counters.forEach((column, index) => {
      const sum = sums[index]!;
      row[column] = typeof sum === 'bigint' ? String(sum) : sum;
    });
    return row;
  }
}

function sumsOf<Counted>(
  periods: Map<string, Sums<Counted>>,
  zeros: Counted[],
  unit: 'hour' | 'day' | 'month',
  instant: Instant,
  key: Key,
): Counted[] {
  const period = periodOf(unit, instant);
  const name = key.length === 0 ? period : `${period} ${key.join(' ')}`;
  let known = periods.get(name);
  if (!known) periods.set(name, (known = { at: beginningOf(unit, instant), key, sums: [...zeros] }));
  return known.sums;
}

/** Of two numbers of one kind, which the type of a sum cannot say. */
const plus = <Counted extends number | bigint>(one: Counted, other: Counted): Counted =>
  ((one as number) + (other as number)) as Counted;
