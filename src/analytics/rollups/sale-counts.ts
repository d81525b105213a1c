import { decimalsOf, inUnits } from '#kernel/money.js';
import { PeriodSums, type PeriodTable } from './period-sums.js';
import { entriesOf, type SaleFacts, staysOf } from '../facts/sale-facts.js';

/** The owner id that stands for all sales of the organization. */
export const EVERYBODY = '';

/**
 * Stays in a stage, by the instants at which they begin and end, with the value of their sales' quotes in units of 1/10000
 * of the currency. Quotes with different numbers of decimals are summed apart, so that a sum shows no more decimals than
 * its parts.
 */
const STAY_PERIODS: PeriodTable = {
  table: 'analytics_stay_period',
  key: ['owner_id', 'status_id', 'currency', 'decimals'],
  counters: ['begun', 'begun_units', 'ended', 'ended_units'],
};

/** Sales by their creation, and how many of them were ever accepted. */
const SALE_PERIODS: PeriodTable = {
  table: 'analytics_sale_period',
  key: ['owner_id'],
  counters: ['created', 'accepted', 'labelled_accepted'],
};

/** Adds sales to the sums of periods. `sign`: 1 to add, -1 to take away. */
export class SaleCounts {
  private readonly stays = new PeriodSums(STAY_PERIODS, 0n);
  private readonly sales = new PeriodSums(SALE_PERIODS, 0);
  readonly tables = [this.stays, this.sales];

  sale(facts: SaleFacts | undefined, sign: 1 | -1): void {
    if (!facts) return;
    const { created_at, currency, total_price } = facts;
    const { accepted_at, labelled_accepted_at } = entriesOf(facts);
    const quote = [currency ?? '', total_price === null ? 0 : decimalsOf(total_price)] as const;
    const units = total_price === null ? 0n : BigInt(sign) * inUnits(total_price);
    for (const owner of facts.owner_id === null ? [EVERYBODY] : [EVERYBODY, facts.owner_id]) {
      const sums = this.sales.of(created_at, owner);
      sums[0]! += sign;
      if (accepted_at !== null) sums[1]! += sign;
      if (labelled_accepted_at !== null) sums[2]! += sign;
      for (const { status_id, entered_at, left_at } of staysOf(facts)) {
        const begun = this.stays.of(entered_at, owner, status_id, ...quote);
        begun[0]! += BigInt(sign);
        begun[1]! += units;
        if (left_at === null) continue;
        const ended = this.stays.of(left_at, owner, status_id, ...quote);
        ended[2]! += BigInt(sign);
        ended[3]! += units;
      }
    }
  }
}
