import type { Sale } from '../data/records.js';

/** Decimals of the API's amounts. */
const DECIMALS = 4;

/** A decimal text such as "97.5" in ten-thousandths. */
function inUnits(amount: string): bigint {
  const [whole, fraction = ''] = amount.split('.');
  return BigInt(whole! + fraction.padEnd(DECIMALS, '0'));
}

/** The decimal text of ten-thousandths, with two decimals or as many as it needs. */
function ofUnits(units: bigint): string {
  const digits = String(units).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0{1,2}$/, '');
  return `${digits.slice(0, -DECIMALS)}.${fraction}`;
}

export type Amount = [currency: string, amount: string];

/** How many sales, and the exact sums of their quotes by currency. */
export interface Sum {
  count: number;
  amounts: Amount[];
  /** Whether there are more, which are not counted. */
  isPart: boolean;
}

export function sumOf(sales: Pick<Sale, 'quote_details'>[], isPart: boolean): Sum {
  const units = new Map<string, bigint>();
  for (const { quote_details } of sales) {
    if (!quote_details) continue;
    const { currency, total_price } = quote_details.output;
    units.set(currency, (units.get(currency) ?? 0n) + inUnits(total_price));
  }
  const amounts = [...units].sort().map(([currency, sum]): Amount => [currency, ofUnits(sum)]);
  return { count: sales.length, amounts, isPart };
}

/** The exact price of several. */
export const timesOf = (quantity: number, unitPrice: string): string =>
  ofUnits(BigInt(quantity) * inUnits(unitPrice));

/** Whether one sale's quote is above another's, whatever their currencies; no quote is below all. */
export function isWorthMore(one: Pick<Sale, 'quote_details'>, other: Pick<Sale, 'quote_details'>): boolean {
  const unitsOf = ({ quote_details }: Pick<Sale, 'quote_details'>) =>
    quote_details ? inUnits(quote_details.output.total_price) : -1n;
  return unitsOf(one) > unitsOf(other);
}
