/** The approximate length of a JSON value as text, in characters. */
export function roughSize(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 0;
  for (const key in value) size += key.length + roughSize((value as Record<string, unknown>)[key]);
  return size;
}

/** Most characters to make into one text: strings have a length limit, and building one takes its memory twice. */
export const LARGEST_PIECE = 32 * 1024 * 1024;

/** Splits items, in order, into pieces of about `most` characters; a larger item is a piece of its own. */
export function* piecesOf<Item>(items: readonly Item[], most = LARGEST_PIECE): Generator<Item[]> {
  let piece: Item[] = [];
  let left = most;
  for (const item of items) {
    const size = roughSize(item);
    if (piece.length > 0 && size > left) {
      yield piece;
      piece = [];
      left = most;
    }
    piece.push(item);
    left -= size;
  }
  if (piece.length > 0) yield piece;
}
