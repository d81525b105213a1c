/** What a URL would take for the end of its host, for an escape, or for nothing. */
const NO_HOST = /[\s%/?#\\:@]/;

/**
 * The form that all spellings of a host name share: ASCII as in URLs (UTS 46, non-transitional: ß is not ss), lower case, no
 * dot at the end. A host that cannot be converted stays itself in lower case.
 */
export function hostKey(host: string): string {
  const bare = withoutLastDot(host.toLowerCase());
  // An ASCII host is its own ASCII form; the conversion would read 0x7f.1 as an IPv4 address.
  if (!/[^\0-\x7f]/.test(bare) || NO_HOST.test(bare)) return bare;
  const url = `http://${bare}`;
  return (URL.canParse(url) && withoutLastDot(new URL(url).hostname)) || bare;
}

/** Those of other scripts count, too (RFC 3490, 3.1). */
const DOTS = '.\u3002\uff0e\uff61';

/** The host, or an address of it, without the dot that ends a name in the DNS. */
export function withoutLastDot(host: string): string {
  let end = host.length;
  while (end > 0 && DOTS.includes(host[end - 1]!)) end--;
  return host.slice(0, end);
}

/** The form that all spellings of an e-mail address share: composed (NFC), lower case, its domain as in `hostKey`. */
export function addressKey(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  // Lower case may decompose: İ has two code points then.
  const local = address.slice(0, at).normalize('NFC').toLowerCase().normalize('NFC');
  return at === 0 ? address.normalize('NFC').toLowerCase() : local + hostKey(address.slice(at));
}

/** The addresses in a list separated by commas; a local part in quotes may hold a comma. */
export const addressesIn = (list: string): string[] =>
  (list.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []).map((one) => one.trim()).filter((one) => one !== '');

/** Each address once, as it is spelt first. */
export const eachOnce = (addresses: string[]): string[] => {
  const keys = addresses.map(addressKey);
  return addresses.filter((_, index) => keys.indexOf(keys[index]!) === index);
};
