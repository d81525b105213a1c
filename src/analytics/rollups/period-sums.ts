import { hourOf, type Instant, instantOfHour } from '#kernel/instant.js';

/**
 * A table of sums per period. `key`: what tells rows apart beside organization, unit and period; `counters`: what is
 * summed.
 */
export interface PeriodTable {
  table: string;
  /** All units when left out. */
  units?: readonly Unit[];
  key: readonly string[];
  counters: readonly string[];
}

/** Sums to add to a row. `lessens`: one of them is negative, so that the row may become empty. */
export interface Addition {
  row: object;
  lessens: boolean;
}

type Key = readonly (string | number)[];

/** Sums by the number of the period, then by the number of the key: the order of the table. */
type Sums<Counted> = Map<number, Map<number, Counted[]>>;

/** The units of periods and their lengths, in the numbers that `hourOf` gives hours. */
const UNITS = { hour: 1, day: 24, month: 24 * 31 } as const;
type Unit = keyof typeof UNITS;
const EVERY_UNIT = Object.keys(UNITS) as Unit[];

/** Adds up, by hour, day and month (UTC), what is counted at instants. */
export class PeriodSums<Counted extends number | bigint = number> {
  /** Kept small: a rebuild holds the sums of all hours, millions of them. */
  private readonly hours: Sums<Counted> = new Map();
  private readonly keys: Key[] = [];
  private readonly keyNumbers = new Map<string, number>();
  private readonly zeros: Counted[];

  constructor(
    readonly table: PeriodTable,
    zero: Counted,
  ) {
    this.zeros = table.counters.map(() => zero);
  }

  /** The sums of the hour of `at`, in the order of the table's counters, for the caller to add to. */
  of(at: Instant, ...key: Key): Counted[] {
    return this.sumsOf(this.hours, hourOf(at), this.numberOf(key));
  }

  /** A row for each unit and period in which something changed. */
  additions(organization_id: string): Addition[] {
    const additions: Addition[] = [];
    for (const unit of this.table.units ?? EVERY_UNIT) {
      const length = UNITS[unit];
      for (const [number, periods] of this.by(length)) {
        const at = instantOfHour(number * length);
        for (const [key, sums] of periods)
          if (sums.some((sum) => sum > 0 || sum < 0))
            additions.push({
              row: this.rowOf({ organization_id, unit, at }, this.keys[key]!, sums),
              lessens: sums.some((sum) => sum < 0),
            });
      }
    }
    return additions;
  }

  /** The sums of periods with this many hours. */
  private by(length: number): Sums<Counted> {
    if (length === 1) return this.hours;
    const longer: Sums<Counted> = new Map();
    for (const [hour, ofHour] of this.hours)
      for (const [key, sums] of ofHour) {
        const total = this.sumsOf(longer, Math.floor(hour / length), key);
        sums.forEach((sum, index) => (total[index] = plus(total[index]!, sum)));
      }
    return longer;
  }

  private numberOf(key: Key): number {
    const name = key.join(' ');
    let number = this.keyNumbers.get(name);
    if (number === undefined) this.keyNumbers.set(name, (number = this.keys.push(key) - 1));
    return number;
  }

  private sumsOf(periods: Sums<Counted>, number: number, key: number): Counted[] {
    let period = periods.get(number);
    if (!period) periods.set(number, (period = new Map<number, Counted[]>()));
    let sums = period.get(key);
    if (!sums) period.set(key, (sums = [...this.zeros]));
    return sums;
  }

  private rowOf(row: Record<string, unknown>, key: Key, sums: Counted[]): object {
    this.table.key.forEach((column, index) => (row[column] = key[index]));
    // JSON has no bigint; PostgreSQL reads it from text.
    this.table.counters.forEach((column, index) => {
      const sum = sums[index]!;
      row[column] = typeof sum === 'bigint' ? String(sum) : sum;
    });
    return row;
  }
}

/** Adds two numbers of one kind, which the type of `+` cannot express. */
const plus = <Counted extends number | bigint>(one: Counted, other: Counted): Counted =>
  ((one as number) + (other as number)) as Counted;
