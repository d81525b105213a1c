import { type Instant, microsBetween } from '#kernel/instant.js';
import { inUnits } from '#kernel/money.js';
import { PeriodSums, type PeriodTable } from './period-sums.js';
import { type Entered, enteredBy, type Entries } from './sale-facts.js';

/** A conversation and what a sale that it is linked to has entered. */
export interface Lead {
  first_inbound_at: Instant | null;
  entered: Iterable<Entered>;
}

/** A sale and the instant that its speed is told from. */
export interface FunnelSale extends Entries {
  total_price: string | null;
  began_at: Instant;
}

/**
 * Leads by their first inbound message; what sales are quoted at, in units of 1/10000 of any currency, by their first
 * quote; and by the first acceptance how many sales, that sum of theirs and their microseconds from `began_at`.
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

/** What leads and sales add to the sums of periods. `sign`: 1 for what comes, -1 for what goes. */
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
