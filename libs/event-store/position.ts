import type { Cursor } from './feed.js';

const TX_DIGITS = 20;
const POSITION_DIGITS = 19;
const TX_MAX = 2n ** 64n - 1n;
const POSITION_MAX = 2n ** 63n - 1n;
const POSITION = new RegExp(`^(\\d{${TX_DIGITS}})-(\\d{${POSITION_DIGITS}})$`);

/** A place in the feed as a string of fixed width: such strings sort in the order of the feed. */
export const positionOf = ({ tx, position }: Cursor): string =>
  `${tx.padStart(TX_DIGITS, '0')}-${position.padStart(POSITION_DIGITS, '0')}`;

/** The place that a position names; null for text that is no position. */
export function readPosition(text: string): Cursor | null {
  const [, tx, position] = POSITION.exec(text) ?? [];
  if (tx === undefined || position === undefined) return null;
  if (BigInt(tx) > TX_MAX || BigInt(position) > POSITION_MAX) return null;
  return { tx: String(BigInt(tx)), position: String(BigInt(position)) };
}
