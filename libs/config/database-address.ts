import { isUrl } from './variables.js';

/** Where a database is: one server, or several of which one takes writes at a time (PostgreSQL manual, 34.1.1.2 and 34.1.1.3). */
export interface DatabaseAddress {
  /** A connection URL for each server, in the order in which they are named. */
  urls: string[];
  /** Whether only a server that takes writes will do, of several. */
  needsWriter: boolean;
  /** Hosts and ports, without user and password. */
  shown: string;
}

/** What is wrong about an address that is none. */
export const DATABASE_URL_EXPECTED =
  'must be a URL starting with postgres:// or postgresql://, for several servers with their hosts separated by commas ' +
  '(postgres://user@a:5432,b:5432/name), of which target_session_attrs may be read-write, primary or any';

const PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<authority>[^/?#]*)(?<after>[/?#].*)?$/is;
const TARGETS = ['read-write', 'primary', 'any'];

/** Reads `postgres://user:password@host:port,host:port/name?options`; undefined for any other text. */
export function databaseAddress(text: string): DatabaseAddress | undefined {
  const parts = PARTS.exec(text)?.groups;
  if (!parts) return undefined;
  const { scheme, authority, after = '' } = parts as { scheme: string; authority: string; after?: string };
  const userEnd = authority.lastIndexOf('@') + 1;
  const hosts = authority.slice(userEnd).split(',');
  const urls = hosts.map((host) => scheme + authority.slice(0, userEnd) + host + after);
  if (hosts.length > 1 && hosts.includes('')) return undefined;
  if (!urls.every((url) => isUrl(url, ['postgres:', 'postgresql:']))) return undefined;
  const target = new URL(urls[0]!).searchParams.get('target_session_attrs') ?? 'read-write';
  if (!TARGETS.includes(target)) return undefined;
  return { urls, needsWriter: target !== 'any', shown: urls.map(hostOf).join(',') };
}

/** Host and port of a server's URL. */
export const hostOf = (url: string): string => new URL(url).host;
