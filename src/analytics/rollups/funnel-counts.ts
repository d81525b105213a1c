import { type Instant, microsBetween } from '#kernel/instant.js';
import { inUnits } from '#kernel/money.js';
import { PeriodSums, type PeriodTable } from './period-sums.js';
import { type Entered, enteredBy, type Entries } from '../facts/sale-facts.js';

/** A conversation and what the sales linked to it have entered. */
export interface Lead {
  first_inbound_at: Instant | null;
  entered: Iterable<Entered>;
}

/** A sale and the instant from which its speed is measured. */
export interface FunnelSale extends Entries {
  total_price: string | null;
  began_at: Instant;
}

/**
 * Sums per period: leads by their first inbound message; the value of quotes, in units of 1/10000 of any currency, by the
 * sale's first quote; by the sale's first acceptance the number of sales, their value and their microseconds since
 * `began_at`.
 */
const FUNNEL_PERIODS = {
  table: 'analytics_funnel_period',
  key: [],
  counters: [
    'quoted_leads',
    'accepted_leads',
    'labelled_accepted_leads',
    'quoted_units',
    'accepted',
    'accepted_units',
    'accepted_us',
    'labelled_accepted',
    'labelled_accepted_units',
    'labelled_accepted_us',
  ],
} as const satisfies PeriodTable;

type Counter = (typeof FUNNEL_PERIODS.counters)[number];

/** Adds leads and sales to the sums of periods. `sign`: 1 to add, -1 to take away. */
export class FunnelCounts {
  readonly sums = new PeriodSums(FUNNEL_PERIODS, 0n);

  lead({ first_inbound_at, entered }: Lead, sign: 1 | -1): void {
    if (first_inbound_at === null) return;
    for (const one of entered) this.add(first_inbound_at, `${one}_leads`, BigInt(sign));
  }

  sale(sale: FunnelSale, sign: 1 | -1): void {
    const units = BigInt(sign) * inUnits(sale.total_price ?? '0');
    for (const one of enteredBy(sale)) {
      const at = sale[`${one}_at`]!;
      this.add(at, `${one}_units`, units);
      if (one === 'quoted') continue;
      this.add(at, one, BigInt(sign));
      this.add(at, `${one}_us`, BigInt(sign) * microsBetween(sale.began_at, at));
    }
  }

  private add(at: Instant, counter: Counter, count: bigint): void {
    this.sums.of(at)[FUNNEL_PERIODS.counters.indexOf(counter)]! += count;
  }
}
