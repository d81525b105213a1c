import { addressKey, hostKey } from '#kernel/address.js';

/** An address that any server takes: a domain with letters beyond ASCII is converted (RFC 5890), and ends without a dot. */
export function onTheWire(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  return /[^\0-\x7f]|\.$/.test(domain) ? address.slice(0, at) + hostKey(domain) : address;
}

/** The mailboxes that an address may lead to, by their keys: its own, then with one `+tag` less each time. */
export function mailboxesOf(address: string): string[] {
  const own = addressKey(address);
  const at = own.lastIndexOf('@');
  const [first, ...tags] = own.slice(0, at).split('+');
  const mailboxes = tags.map((_, length) => [first, ...tags.slice(0, length)].join('+') + own.slice(at));
  return [own, ...mailboxes.toReversed()];
}
