import { databaseAddress } from '#config/database-address.js';
import { redisAddress } from '#config/redis-address.js';
import type { Config } from './config.js';

/** Texts that are no secrets. Whatever is not named here, and no number or switch, is only told to be set. */
const OPEN = new Set<keyof Config>([
  'host',
  'dataDir',
  'publicUrl',
  'deliveryOnUncertainEmail',
  'deliveryOnUncertainText',
  'serviceName',
  'logLevel',
]);
/** Of these the host is told; they may hold a user and a password. */
const URLS = new Set<keyof Config>(['otlpEndpoint']);

const DATABASES = new Set<keyof Config>(['databaseUrl', 'databaseDirectUrl']);

/** A process's settings as its log may show them. */
export const shownSettings = (config: Config): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, shown(name as keyof Config, value as unknown)]),
  );

function shown(name: keyof Config, value: unknown): unknown {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string' && OPEN.has(name)) return value;
  if (DATABASES.has(name)) return databaseAddress(value as string)!.shown;
  if (name === 'redisUrl') return redisAddress(value as string)!.shown;
  if (typeof value === 'string' && URLS.has(name)) return new URL(value).host;
  return Array.isArray(value) ? value.length : 'set';
}
