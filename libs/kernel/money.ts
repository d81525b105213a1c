/** An amount as decimal text, such as `1200.50`: never a float, so that sums are exact. */
export type Decimal = string;

/** How an amount of 0 or more is written: at most 30 digits before the point and 4 after it. */
export const AMOUNT = '^\\d{1,30}(\\.\\d{1,4})?$';

const DECIMAL = new RegExp(AMOUNT);

/** Whether `value` is an amount of 0 or more as decimal text. */
export const isAmount = (value: unknown): value is Decimal =>
  typeof value === 'string' && DECIMAL.test(value);

/** The exact sum of quantity times price, with as many decimals as the most precise price has. */
export function totalOf(items: { quantity: number; unit_price: Decimal }[]): Decimal {
  const scale = Math.max(0, ...items.map(({ unit_price }) => decimalsOf(unit_price)));
  const sum = items.reduce(
    (total, { quantity, unit_price }) => total + BigInt(quantity) * scaled(unit_price, scale),
    0n,
  );
  return written(sum, scale);
}

/** The amount of so many units of 1/10000, written with this many decimals; what is beyond them must be 0. */
export const ofUnits = (units: bigint, decimals: number): Decimal =>
  written((units * 10n ** BigInt(decimals)) / 10_000n, decimals);

function written(amount: bigint, scale: number): Decimal {
  const digits = String(amount).padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** How many decimals the amount is written with. */
export const decimalsOf = (amount: Decimal): number => amount.split('.')[1]?.length ?? 0;

/** The amount in units of 1/10000, exact. */
export const inUnits = (amount: Decimal): bigint => scaled(amount, 4);

/** The amount in units of 10^-scale. */
function scaled(amount: Decimal, scale: number): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}
