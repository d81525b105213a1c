/** Groups in order of first appearance. */
export function groupBy<Item, Key>(
  items: Item[],
  keyOf: (item: Item, index: number) => Key,
): [Key, Item[]][] {
  const groups = new Map<Key, Item[]>();
  items.forEach((item, index) => {
    const key = keyOf(item, index);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  });
  return [...groups];
}
