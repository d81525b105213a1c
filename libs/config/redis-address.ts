/** Where a Redis is: one server, a primary that Sentinels know by its name, or a cluster. */
export type RedisAddress =
  | { kind: 'server'; url: string; shown: string }
  | ({ kind: 'sentinel'; name: string; db: number; sentinelPassword: string | undefined } & Several)
  | ({ kind: 'cluster' } & Several);

interface Several {
  hosts: { host: string; port: number }[];
  username: string | undefined;
  password: string | undefined;
  isTls: boolean;
  /** Hosts and ports, without user and password. */
  shown: string;
}

const DEFAULT_PORT = { sentinel: 26379, cluster: 6379 };

const SEVERAL =
  /^(?<scheme>rediss?)\+(?<kind>sentinel|cluster):\/\/(?:(?<user>[^@/]*)@)?(?<hosts>[^@/?]+)(?:\/(?<path>[^?]*))?(?:\?(?<query>.*))?$/;

/** What is wrong about an address that is none. */
export const REDIS_URL_EXPECTED =
  'must be redis://host:port, rediss://host:port, redis+sentinel://host:port,host:port/name or redis+cluster://host:port,host:port';

/**
 * Reads `redis://`, `rediss://`, `redis+sentinel://host:port,host:port/name[/database][?sentinel_password=…]` and
 * `redis+cluster://host:port,…`; `rediss+…` speaks TLS. A user and a password stand before the hosts, percent-encoded.
 * Undefined for any other text.
 */
export function redisAddress(text: string): RedisAddress | undefined {
  if (/^rediss?:\/\//i.test(text))
    return URL.canParse(text) ? { kind: 'server', url: text, shown: new URL(text).host } : undefined;
  const parts = SEVERAL.exec(text)?.groups;
  if (!parts) return undefined;
  const kind = parts['kind'] as 'sentinel' | 'cluster';
  const hosts = parts['hosts']!.split(',').map((one) => hostOf(one, DEFAULT_PORT[kind]));
  const [username, password] = credentialsOf(parts['user'] ?? '');
  if (!hosts.every((one) => one !== undefined) || username === null || password === null) return undefined;
  const several: Several = {
    hosts,
    username,
    password,
    isTls: parts['scheme'] === 'rediss',
    shown: parts['hosts']!,
  };
  if (kind === 'cluster') return (parts['path'] ?? '') === '' ? { kind, ...several } : undefined;
  const [name, db = '0', ...more] = (parts['path'] ?? '').split('/');
  if (!name || !/^\d+$/.test(db) || more.length > 0) return undefined;
  const sentinelPassword = new URLSearchParams(parts['query']).get('sentinel_password') ?? undefined;
  return { kind, name, db: Number(db), sentinelPassword, ...several };
}

/** `host`, `host:port` or `[IPv6]:port`. */
function hostOf(text: string, defaultPort: number): { host: string; port: number } | undefined {
  if (!URL.canParse(`tcp://${text}`)) return undefined;
  const { hostname, port } = new URL(`tcp://${text}`);
  if (hostname === '') return undefined;
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? defaultPort : Number(port) };
}

/** `user:password`, `:password` or nothing; null for what is not percent-encoded as it should be. */
function credentialsOf(text: string): (string | undefined | null)[] {
  const [user = '', ...password] = text.split(':');
  return [user, password.join(':')].map((part) => {
    try {
      return decodeURIComponent(part) || undefined;
    } catch {
      return null;
    }
  });
}
