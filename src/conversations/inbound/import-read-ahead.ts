/**
 * Yields the result of `work` for each item, in order, while later items are being worked on: at most `most.items` at a
 * time and `most.bytes` together, or one larger item alone. The first error ends it.
 */
export async function* readAhead<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  sizeOf: (item: Item) => number,
  most: { items: number; bytes: number },
): AsyncGenerator<Result> {
  const going: { result: Promise<Result>; size: number }[] = [];
  let bytes = 0;
  const first = () => {
    const { result, size } = going.shift()!;
    bytes -= size;
    return result;
  };
  for await (const item of items) {
    const size = sizeOf(item);
    while (going.length > 0 && (going.length >= most.items || bytes + size > most.bytes)) yield await first();
    const result = work(item);
    // The error is thrown when its turn comes.
    result.catch(() => {});
    going.push({ result, size });
    bytes += size;
  }
  while (going.length > 0) yield await first();
}
