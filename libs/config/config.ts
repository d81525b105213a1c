import { withoutTrailingSlashes } from '#kernel/url.js';
import { SECRET_KEY } from './secret-key.js';
import { type Network, readNetworks } from './networks.js';

/** The process's configuration, parsed and checked once. Durations are in the unit their name ends with. */
export interface Config {
  port: number;
  host: string;
  databaseUrl: string | null;
  databasePoolSize: number;
  redisUrl: string | null;
  dataDir: string;
  adminKey: string | null;
  publicUrl: string | null;
  secretKey: string | null;
  deliveryRetryBaseMs: number;
  deliveryMaxAttempts: number;
  deliveryLeaseMs: number;
  deliveryTimeoutMs: number;
  deliveryOnUncertainEmail: 'resend' | 'hold';
  deliveryOnUncertainText: 'resend' | 'hold';
  /** Requests per second and key, sustained; twice that in a burst. 0: no limit. */
  rateLimitRps: number;
  inboundSmtpPort: number | null;
  /** PEM files with which that port speaks TLS (STARTTLS); null: it does not. */
  inboundSmtpTls: { certificateFile: string; keyFile: string } | null;
  /** Where attachments are kept; null: in the data directory. */
  attachmentsS3: S3Config | null;
  /** The first pause of a webhook's retries; the others are multiples of it. */
  webhookRetryBaseMs: number;
  webhookTimeoutMs: number;
  /** What webhooks may reach beside the public internet. */
  webhookAllowedNetworks: Network[];
  /** How long an API process goes on answering after it was told to end. */
  drainMs: number;
  /** The OTLP/HTTP collector that traces are sent to. */
  otlpEndpoint: string | null;
  /** How traces name this service. */
  serviceName: string;
  logLevel: string;
}

/** A bucket of an object store that speaks S3. */
export interface S3Config {
  bucket: string;
  /** Null: that of AWS in the region. */
  endpoint: string | null;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket is the first part of the path, not of the host. */
  pathStyle: boolean;
}

/** A variable of the environment has a value that cannot be used; the message names the variable. */
export class ConfigurationError extends Error {}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** What paths can be put behind: what a URL may have after its path would swallow them. */
const PREFIX = /^[a-z]+:\/\/[^\s?#/@]+(\/[^\s?#]*)?$/i;

/** What arrives as it was sent: blanks around a header's value are none of it, and others than ASCII have no encoding (RFC 9110, 5.5). */
const HEADER_VALUE = /^[!-~]([ -~]*[!-~])?$/;

/** Reads the configuration; throws `ConfigurationError` naming every variable that is wrong. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const read = <Value>(
    name: string,
    fallback: Value,
    parse: (text: string) => Value | undefined,
    expected: string,
    { isSecret = false } = {},
  ): Value => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value !== undefined) return value;
    // Problems are printed and logged.
    problems.push(`${name}: ${expected}${isSecret ? '' : `, not ${JSON.stringify(text)}`}`);
    return fallback;
  };
  const integer = (name: string, fallback: number, min: number, max: number) =>
    read(
      name,
      fallback,
      (text) => wholeNumber(text, min, max),
      `must be a whole number from ${min} to ${max}`,
    );
  const url = (name: string, protocols: string[]) =>
    read<string | null>(
      name,
      null,
      (text) => validUrl(text, protocols),
      `must be a URL starting with ${protocols.map((p) => `${p}//`).join(' or ')}`,
      // It may hold a password.
      { isSecret: true },
    );
  const oneOf = <Word extends string>(name: string, fallback: Word, words: readonly Word[]) =>
    read<Word>(
      name,
      fallback,
      (text) => words.find((word) => word === text),
      `must be one of ${words.join(', ')}`,
    );

  const required = (name: string, by: string): string => {
    const text = env[name] ?? '';
    if (text === '') problems.push(`${name}: must be set where ${by} is`);
    return text;
  };
  const s3 = (): S3Config | null => {
    const bucket = read<string | null>(
      'ATTACHMENTS_S3_BUCKET',
      null,
      (text) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text) ? text : undefined),
      'must be the name of a bucket',
    );
    const endpoint = url('ATTACHMENTS_S3_ENDPOINT', ['http:', 'https:']);
    const pathStyle = oneOf('ATTACHMENTS_S3_PATH_STYLE', endpoint === null ? 'false' : 'true', [
      'true',
      'false',
    ]);
    const region = read('ATTACHMENTS_S3_REGION', 'us-east-1', (text) => text, '');
    const credential = (name: string) =>
      env[name] === undefined && bucket === null ? '' : required(name, 'ATTACHMENTS_S3_BUCKET');
    const accessKeyId = credential('ATTACHMENTS_S3_ACCESS_KEY_ID');
    const secretAccessKey = credential('ATTACHMENTS_S3_SECRET_ACCESS_KEY');
    return bucket === null
      ? null
      : { bucket, endpoint, region, accessKeyId, secretAccessKey, pathStyle: pathStyle === 'true' };
  };

  const publicUrl = read<string | null>(
    'PARLEY_PUBLIC_URL',
    null,
    (text) => (PREFIX.test(text) ? validUrl(text, ['http:', 'https:']) : undefined),
    'must be a URL starting with http:// or https://, without blanks, user, ? and #',
    { isSecret: true },
  );

  const config: Config = {
    port: integer('PORT', 3000, 0, 65_535),
    host: read('HOST', '0.0.0.0', (text) => text, ''),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: integer('DATABASE_POOL_SIZE', 20, 4, 1_000),
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    dataDir: read('PARLEY_DATA_DIR', '.data', (text) => text, ''),
    adminKey: read<string | null>(
      'PARLEY_ADMIN_KEY',
      null,
      (text) => (HEADER_VALUE.test(text) ? text : undefined),
      'must be of printable ASCII characters, without blanks around them',
      { isSecret: true },
    ),
    publicUrl: publicUrl && withoutTrailingSlashes(publicUrl),
    secretKey: read<string | null>(
      'PARLEY_SECRET_KEY',
      null,
      (text) => (SECRET_KEY.test(text) ? text : undefined),
      'must be 64 hexadecimal digits',
      { isSecret: true },
    ),
    deliveryRetryBaseMs: integer('DELIVERY_RETRY_BASE_MS', 30_000, 1, 3_600_000),
    deliveryMaxAttempts: integer('DELIVERY_MAX_ATTEMPTS', 8, 1, 100),
    deliveryLeaseMs: integer('DELIVERY_LEASE_MS', 60_000, 1_000, 3_600_000),
    deliveryTimeoutMs: integer('DELIVERY_TIMEOUT_MS', 40_000, 100, 3_600_000),
    deliveryOnUncertainEmail: oneOf('DELIVERY_ON_UNCERTAIN_EMAIL', 'resend', ['resend', 'hold']),
    deliveryOnUncertainText: oneOf('DELIVERY_ON_UNCERTAIN_TEXT', 'hold', ['hold', 'resend']),
    rateLimitRps: integer('RATE_LIMIT_RPS', 100, 0, 1_000_000),
    inboundSmtpPort: read<number | null>(
      'INBOUND_SMTP_PORT',
      null,
      (text) => wholeNumber(text, 0, 65_535),
      'must be a whole number from 0 to 65535',
    ),
    inboundSmtpTls:
      (env['INBOUND_SMTP_TLS_CERT'] ?? '') + (env['INBOUND_SMTP_TLS_KEY'] ?? '') === ''
        ? null
        : {
            certificateFile: required('INBOUND_SMTP_TLS_CERT', 'INBOUND_SMTP_TLS_KEY'),
            keyFile: required('INBOUND_SMTP_TLS_KEY', 'INBOUND_SMTP_TLS_CERT'),
          },
    attachmentsS3: s3(),
    webhookRetryBaseMs: integer('WEBHOOK_RETRY_BASE_MS', 5_000, 1, 3_600_000),
    webhookTimeoutMs: integer('WEBHOOK_TIMEOUT_MS', 15_000, 100, 45_000),
    webhookAllowedNetworks: read<Network[]>(
      'WEBHOOK_ALLOWED_NETWORKS',
      [],
      readNetworks,
      'must be networks such as 10.0.0.0/8,fd00::/8, separated by commas',
    ),
    drainMs: integer('DRAIN_MS', 5_000, 0, 15_000),
    otlpEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    serviceName: read('OTEL_SERVICE_NAME', 'parley', (text) => text, ''),
    logLevel: oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
  };
  if (config.deliveryTimeoutMs >= config.deliveryLeaseMs)
    problems.push(
      'DELIVERY_TIMEOUT_MS: must be below DELIVERY_LEASE_MS, or what is being sent would be taken over and sent twice',
    );
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
  return config;
}

/** The names of all variables that the configuration is read from. */
export function knownVariables(): Set<string> {
  const names = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void names.add(String(name)) }));
  return names;
}

function wholeNumber(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= max ? value : undefined;
}

function validUrl(text: string, protocols: string[]): string | undefined {
  return URL.canParse(text) && protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`))
    ? text
    : undefined;
}

/** Injection token of the `Config`. */
export const CONFIG = 'CONFIG';
