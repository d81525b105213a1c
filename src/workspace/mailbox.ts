/** The mailboxes that an address may lead to, lower-cased: the address itself, then with one `+tag` less each time. */
export function mailboxesOf(address: string): string[] {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf('@');
  const [first, ...tags] = lower.slice(0, at).split('+');
  const mailboxes = tags.map((_, length) => [first, ...tags.slice(0, length)].join('+') + lower.slice(at));
  return [lower, ...mailboxes.toReversed()];
}
