import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isWithin, type Network } from '#config/networks.js';

/** The part of IPv6 assigned to hosts; all else is reserved, or another address in disguise. */
const GLOBAL_UNICAST: Network = ipaddr.parseCIDR('2000::/3');

/** Cloud metadata and documentation addresses that the registries list as public. */
const NOT_FOR_US: Network[] = ['168.63.129.16/32', '192.0.0.0/24', '3fff::/20'].map((network) =>
  ipaddr.parseCIDR(network),
);

/**
 * The addresses that events may be sent to: public ones over https, and the allowed networks over http, too. Anybody can
 * put any name into a URL; without this check the service would send requests into its own network on their behalf.
 */
export class Addresses {
  constructor(private readonly allowed: Network[]) {}

  /** Whether we may connect to this IP address. Asked for each connection, with the address really resolved. */
  permits(address: string, protocol: string): boolean {
    const parsed = ipaddr.parse(address);
    return isWithin(parsed, this.allowed) || (protocol === 'https:' && isPublic(parsed));
  }

  /** Why a webhook cannot have this URL; null when nothing in its text is wrong. */
  refusalOf(text: string): string | null {
    if (!URL.canParse(text)) return 'must be an absolute URL';
    const { protocol, username, password, hostname } = new URL(text);
    if (protocol !== 'https:' && protocol !== 'http:') return 'must be an https URL';
    if (username !== '' || password !== '') return 'must not hold a user name or password';
    // The URL parser has already normalised decimal, octal and hexadecimal IPv4 addresses.
    const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const named = /(^|\.)localhost$/.test(host) ? ['127.0.0.1', '::1'] : isIP(host) ? [host] : null;
    if (named === null)
      return protocol === 'http:' && this.allowed.length === 0 ? 'must be an https URL' : null;
    if (named.some((address) => this.permits(address, protocol))) return null;
    return protocol === 'http:' && named.some((address) => this.permits(address, 'https:'))
      ? 'must be an https URL'
      : `must not lead to ${host}, which is no public address; networks of your own are allowed with WEBHOOK_ALLOWED_NETWORKS`;
  }
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast' || isWithin(address, NOT_FOR_US)) return false;
  return address.kind() === 'ipv4' || isWithin(address, [GLOBAL_UNICAST]);
}
