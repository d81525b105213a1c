import { withoutTrailingSlashes } from '#kernel/url.js';
import { SECRET_KEY } from '#config/secret-key.js';
import { type Network, readAddresses, readNetworks } from '#config/networks.js';
import { readOrigins } from '#config/origins.js';
import { DATABASE_URL_EXPECTED, databaseAddress } from '#config/database-address.js';
import { REDIS_URL_EXPECTED, redisAddress } from '#config/redis-address.js';
import { type Environment, isUrl, Variables } from '#config/variables.js';

/** The process's configuration, parsed and checked once. Durations are in the unit their name ends with. */
export interface Config {
  port: number;
  host: string;
  /** Where a worker alone answers about its health and metrics; 0 for nowhere. */
  workerPort: number;
  databaseUrl: string | null;
  /** The database itself, where `databaseUrl` leads through a pooler. */
  databaseDirectUrl: string | null;
  databasePoolSize: number;
  /** Servers that follow the one at `databaseUrl`, for reads. */
  databaseReplicaUrls: string[];
  redisUrl: string | null;
  dataDir: string;
  adminKey: string | null;
  publicUrl: string | null;
  secretKey: string | null;
  /** How often a worker asks for what has become due. */
  duePollMs: number;
  deliveryRetryBaseMs: number;
  deliveryMaxAttempts: number;
  deliveryLeaseMs: number;
  deliveryTimeoutMs: number;
  deliveryOnUncertainEmail: 'resend' | 'hold';
  deliveryOnUncertainText: 'resend' | 'hold';
  /** Requests per second and key, sustained; twice that in a burst. 0: no limit. */
  rateLimitRps: number;
  /** Proxies that are believed from where a request came. */
  trustedProxies: Network[];
  /** Origins of the pages that may call the API from a browser. */
  corsOrigins: string[];
  /** The same for each door of a channel. */
  channelRateLimitRps: number;
  inboundSmtpPort: number | null;
  /** PEM files for TLS (STARTTLS) on that port; null for no TLS. */
  inboundSmtpTls: { certificateFile: string; keyFile: string } | null;
  /** The name of our own receiving server in Authentication-Results (RFC 8601); '' when none is believed. */
  inboundAuthservId: string;
  /** Where attachments are kept; null for the data directory. */
  attachmentsS3: S3Config | null;
  /** The first pause of a webhook's retries; the others are multiples of it. */
  webhookRetryBaseMs: number;
  webhookTimeoutMs: number;
  /** Networks that webhooks may reach beside the public internet. */
  webhookAllowedNetworks: Network[];
  /** How long an API process still answers after it was told to end. */
  drainMs: number;
  /** The OTLP/HTTP collector that traces are sent to. */
  otlpEndpoint: string | null;
  /** How traces name this service. */
  serviceName: string;
  logLevel: string;
  /** Whether each answer is logged. */
  accessLog: boolean;
}

/** A bucket of an object store that speaks S3. */
export interface S3Config {
  bucket: string;
  /** Null for AWS in the region. */
  endpoint: string | null;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether the bucket is the first part of the path and not of the host. */
  pathStyle: boolean;
}

/** An environment variable has an unusable value; the message names the variable. */
export class ConfigurationError extends Error {}

const POSTGRES = ['postgres:', 'postgresql:'];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** A URL to append paths to: it must end with its path, as a query or fragment would swallow them. */
const PREFIX = /^[a-z]+:\/\/[^\s?#/@]+(\/[^\s?#]*)?$/i;

/**
 * A header value that arrives unchanged: blanks around it are dropped, and text beyond ASCII has no encoding (RFC 9110,
 * 5.5).
 */
const HEADER_VALUE = /^[!-~]([ -~]*[!-~])?$/;

/** Reads the configuration; throws `ConfigurationError` naming every variable that is wrong. */
export function readConfig(env: Environment): Config {
  const given = new Variables(env);
  const rateLimitRps = given.integer('RATE_LIMIT_RPS', 100, 0, 1_000_000);
  const config: Config = {
    port: given.integer('PORT', 3000, 0, 65_535),
    host: given.text('HOST', '0.0.0.0'),
    workerPort: given.integer('WORKER_PORT', 0, 0, 65_535),
    databaseUrl: readDatabaseUrl(given, 'DATABASE_URL'),
    databaseDirectUrl: readDatabaseUrl(given, 'DATABASE_DIRECT_URL'),
    databasePoolSize: given.integer('DATABASE_POOL_SIZE', 20, 4, 1_000),
    databaseReplicaUrls: given.read<string[]>(
      'DATABASE_REPLICA_URLS',
      [],
      (text) => {
        const urls = text.split(',').map((url) => url.trim());
        return urls.every((url) => isUrl(url, POSTGRES)) ? urls : undefined;
      },
      'must be URLs starting with postgres:// or postgresql://, separated by commas',
      { isSecret: true },
    ),
    redisUrl: given.secret('REDIS_URL', (text) => redisAddress(text) !== undefined, REDIS_URL_EXPECTED),
    dataDir: given.text('PARLEY_DATA_DIR', '.data'),
    adminKey: given.secret(
      'PARLEY_ADMIN_KEY',
      (text) => HEADER_VALUE.test(text),
      'must be of printable ASCII characters, without blanks around them',
    ),
    publicUrl: readPublicUrl(given),
    secretKey: given.secret(
      'PARLEY_SECRET_KEY',
      (text) => SECRET_KEY.test(text),
      'must be 64 hexadecimal digits',
    ),
    duePollMs: given.integer('DUE_POLL_MS', 1_000, 10, 60_000),
    deliveryRetryBaseMs: given.integer('DELIVERY_RETRY_BASE_MS', 30_000, 1, 3_600_000),
    deliveryMaxAttempts: given.integer('DELIVERY_MAX_ATTEMPTS', 8, 1, 100),
    deliveryLeaseMs: given.integer('DELIVERY_LEASE_MS', 60_000, 1_000, 3_600_000),
    deliveryTimeoutMs: given.integer('DELIVERY_TIMEOUT_MS', 40_000, 100, 3_600_000),
    deliveryOnUncertainEmail: given.oneOf('DELIVERY_ON_UNCERTAIN_EMAIL', 'resend', ['resend', 'hold']),
    deliveryOnUncertainText: given.oneOf('DELIVERY_ON_UNCERTAIN_TEXT', 'hold', ['hold', 'resend']),
    rateLimitRps,
    channelRateLimitRps: given.integer('RATE_LIMIT_CHANNEL_RPS', rateLimitRps, 0, 1_000_000),
    trustedProxies: given.read<Network[]>(
      'TRUSTED_PROXIES',
      [],
      readAddresses,
      'must be addresses or networks such as 10.0.0.7,10.1.0.0/16, separated by commas',
    ),
    corsOrigins: given.read<string[]>(
      'CORS_ORIGINS',
      [],
      readOrigins,
      'must be origins such as https://app.acme.example, separated by commas',
    ),
    inboundSmtpPort: given.integer('INBOUND_SMTP_PORT', null, 0, 65_535),
    inboundSmtpTls: readTlsFiles(given),
    inboundAuthservId: given.text('INBOUND_AUTHSERV_ID', ''),
    attachmentsS3: readS3(given),
    webhookRetryBaseMs: given.integer('WEBHOOK_RETRY_BASE_MS', 5_000, 1, 3_600_000),
    webhookTimeoutMs: given.integer('WEBHOOK_TIMEOUT_MS', 15_000, 100, 45_000),
    webhookAllowedNetworks: given.read<Network[]>(
      'WEBHOOK_ALLOWED_NETWORKS',
      [],
      readNetworks,
      'must be networks such as 10.0.0.0/8,fd00::/8, separated by commas',
    ),
    drainMs: given.integer('DRAIN_MS', 5_000, 0, 15_000),
    otlpEndpoint: given.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    serviceName: given.text('OTEL_SERVICE_NAME', 'parley'),
    logLevel: given.oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
    accessLog: given.oneOf('ACCESS_LOG', 'false', ['true', 'false']) === 'true',
  };
  if (config.databaseUrl === null && config.databaseReplicaUrls.length > 0)
    given.problems.push('DATABASE_REPLICA_URLS: needs DATABASE_URL, the server that these follow');
  if (config.deliveryTimeoutMs >= config.deliveryLeaseMs)
    given.problems.push(
      'DELIVERY_TIMEOUT_MS: must be below DELIVERY_LEASE_MS, or what is being sent would be taken over and sent twice',
    );
  if (config.databaseDirectUrl !== null && config.databaseUrl === null)
    given.problems.push('DATABASE_URL: must be set where DATABASE_DIRECT_URL is');
  if (given.problems.length > 0) throw new ConfigurationError(given.problems.join('\n'));
  return config;
}

const readDatabaseUrl = (given: Variables, name: string): string | null =>
  given.secret(name, (text) => databaseAddress(text) !== undefined, DATABASE_URL_EXPECTED);

function readPublicUrl(given: Variables): string | null {
  const url = given.secret(
    'PARLEY_PUBLIC_URL',
    (text) => PREFIX.test(text) && isUrl(text, ['http:', 'https:']),
    'must be a URL starting with http:// or https://, without blanks, user, ? and #',
  );
  return url && withoutTrailingSlashes(url);
}

function readTlsFiles(given: Variables): Config['inboundSmtpTls'] {
  const [certificate, key] = ['INBOUND_SMTP_TLS_CERT', 'INBOUND_SMTP_TLS_KEY'] as const;
  if (given.text(certificate, '') + given.text(key, '') === '') return null;
  return { certificateFile: given.required(certificate, key), keyFile: given.required(key, certificate) };
}

function readS3(given: Variables): S3Config | null {
  const bucket = given.read<string | null>(
    'ATTACHMENTS_S3_BUCKET',
    null,
    (text) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text) ? text : undefined),
    'must be the name of a bucket',
  );
  const endpoint = given.url('ATTACHMENTS_S3_ENDPOINT', ['http:', 'https:']);
  const region = given.text('ATTACHMENTS_S3_REGION', 'us-east-1');
  const isBelowHost = endpoint === null ? 'false' : 'true';
  const pathStyle = given.oneOf('ATTACHMENTS_S3_PATH_STYLE', isBelowHost, ['true', 'false']) === 'true';
  const credential = (name: string) =>
    bucket === null ? given.text(name, '') : given.required(name, 'ATTACHMENTS_S3_BUCKET');
  const accessKeyId = credential('ATTACHMENTS_S3_ACCESS_KEY_ID');
  const secretAccessKey = credential('ATTACHMENTS_S3_SECRET_ACCESS_KEY');
  return bucket === null ? null : { bucket, endpoint, region, accessKeyId, secretAccessKey, pathStyle };
}

/** The names of all variables that the configuration is read from. */
export function knownVariables(): Set<string> {
  const names = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void names.add(String(name)) }));
  return names;
}

/** Injection token of the `Config`. */
export const CONFIG = 'CONFIG';
