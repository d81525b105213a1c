import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isWithin, type Network } from '#config/networks.js';

/** The part of IPv6 that is given out for hosts; all else is reserved, or another address in disguise. */
const GLOBAL_UNICAST: Network = ipaddr.parseCIDR('2000::/3');

/** Cloud metadata and documentation addresses that the registries count among the public ones. */
const NOT_FOR_US: Network[] = ['168.63.129.16/32', '192.0.0.0/24', '3fff::/20'].map((network) =>
  ipaddr.parseCIDR(network),
);

/**
 * Which addresses events may be sent to: those of the public internet over https, and the allowed networks over either.
 * What a URL names is somebody's wish; without this the service would fetch from its own network on their behalf.
 */
export class Addresses {
  constructor(private readonly allowed: Network[]) {}

  /** Whether one may connect to this IP address; asked anew for each connection, of what was really resolved. */
  permits(address: string, protocol: string): boolean {
    const parsed = ipaddr.parse(address);
    return isWithin(parsed, this.allowed) || (protocol === 'https:' && isPublic(parsed));
  }

  /** Why the URL cannot be a webhook's; null when nothing is wrong with it as it is written. */
  refusalOf(text: string): string | null {
    if (!URL.canParse(text)) return 'must be an absolute URL';
    const { protocol, username, password, hostname } = new URL(text);
    if (protocol !== 'https:' && protocol !== 'http:') return 'must be an https URL';
    if (username !== '' || password !== '') return 'must not hold a user name or password';
    // The parser has turned decimal, octal and hexadecimal forms of IPv4 addresses into the usual one.
    const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const named = /(^|\.)localhost$/.test(host) ? ['127.0.0.1', '::1'] : isIP(host) ? [host] : null;
    if (named === null)
      return protocol === 'http:' && this.allowed.length === 0 ? 'must be an https URL' : null;
    if (named.some((address) => this.permits(address, protocol))) return null;
    return protocol === 'http:' && named.some((address) => this.permits(address, 'https:'))
      ? 'must be an https URL'
      : `must not lead to ${host}, which is no public address`;
  }
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast' || isWithin(address, NOT_FOR_US)) return false;
  return address.kind() === 'ipv4' || isWithin(address, [GLOBAL_UNICAST]);
}
