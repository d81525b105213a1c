import { RuleViolation } from '#kernel/decider.js';
import { hostKey } from '#kernel/address.js';

/** In any script (RFC 3490, 3.1). */
const ENDS_WITH_DOT = /[.\u3002\uff0e\uff61]$/;
/** Octets of a host name and of a label (RFC 1035, 2.3.4). */
const LONGEST_NAME = 253;
/** Letters, digits and inner hyphens (RFC 1123, 2.1). */
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * What is left of a domain or URL without protocol, userinfo, port, path and the dot at its end, in lower case. Throws
 * `RuleViolation` where that is not the name of a host with a dot in it. An IP address is none: it says nothing of a company.
 */
export function domainIn(text: string): string {
  const host = hostIn(text);
  if (ENDS_WITH_DOT.test(host) || !isHostName(hostKey(host)))
    throw new RuleViolation('validation_failed', 'must be a domain such as example.com', 'domain');
  return host;
}

/** The form that all spellings of a domain share; null where that is the domain as it is, or there is none. */
export function domainKey(domain: string | null): string | null {
  if (domain === null) return null;
  const key = keyOfDomain(domain);
  return key === domain ? null : key;
}

/** The form in which domains are looked for; any text has one. */
export const keyOfDomain = (text: string): string => hostKey(hostIn(text));

function hostIn(text: string): string {
  const [authority] = text
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .split(/[/?#\\]/, 1);
  return authority!
    .slice(authority!.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .replace(ENDS_WITH_DOT, '');
}

function isHostName(ascii: string): boolean {
  const labels = ascii.split('.');
  return (
    ascii.length <= LONGEST_NAME &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    // The last label of an IPv4 address alone is a number (RFC 3696, 2).
    !/^\d+$/.test(labels.at(-1)!)
  );
}
