import ipaddr from 'ipaddr.js';

/** An IPv4 or IPv6 network: its address and the length of its prefix. */
export type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** Networks in CIDR form, separated by commas; undefined when one of them is invalid. */
export function readNetworks(text: string): Network[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  return parts.every(isNetwork) ? parts.map((part) => ipaddr.parseCIDR(part)) : undefined;
}

/** The same, of which some may be single addresses. */
export const readAddresses = (text: string): Network[] | undefined =>
  readNetworks(
    text
      .split(',')
      .map((part) => part.trim())
      .map((part) => (part.includes('/') ? part : `${part}/${part.includes(':') ? 128 : 32}`))
      .join(','),
  );

/** Only four plain decimals for IPv4: programs read other forms as different addresses. */
const isNetwork = (text: string): boolean =>
  ipaddr.IPv6.isValidCIDR(text) || ipaddr.IPv4.isValidCIDRFourPartDecimal(text);

/** Whether the address is in one of the networks. */
export const isWithin = (address: ipaddr.IPv4 | ipaddr.IPv6, networks: Network[]): boolean =>
  networks.some(([network, bits]) => network.kind() === address.kind() && address.match([network, bits]));
