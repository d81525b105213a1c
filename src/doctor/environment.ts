import { type Config, ConfigurationError, knownVariables, readConfig } from '../config/config.js';
import { readInboundSmtpTls } from '../config/tls.js';
import type { Environment } from '#config/variables.js';
import { distance } from './distance.js';
import { failed, type Finding, warning, ok } from './finding.js';

const CHECK = 'environment';
/** First words of our variables with which those of others begin, too. */
const COMMON_WORDS = new Set(['ACCESS', 'LOG', 'OTEL', 'WORKER']);
/** Characters by which a typing error differs from the name of a long variable. */
const NEAR = 2;
const LONG = 8;
/** Characters; a shorter operator's key is soon guessed. */
const SHORTEST_KEY = 16;
const TEST = /^PARLEY_(TEST|FUZZ|FAULT|BENCH|SOAK)_/;

/** What is wrong with the environment's variables; the configuration when it can be used. */
export function examineEnvironment(env: Environment): { findings: Finding[]; config: Config | null } {
  const unknown = unknownVariables(env);
  try {
    const config = readConfig(env);
    const findings = [...unknown, ...contradictions(config), ...unused(env, config)];
    return {
      findings: findings.length > 0 ? findings : [ok(CHECK, 'every variable can be used')],
      config,
    };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const wrong = error.message
      .split('\n')
      .map((problem) => failed(CHECK, problem, 'Correct the variable, or take it away for the default.'));
    return { findings: [...unknown, ...wrong], config: null };
  }
}

/** Whether mail can be received over TLS. */
export async function examineTls(files: NonNullable<Config['inboundSmtpTls']>): Promise<Finding> {
  const check = 'certificate';
  try {
    await readInboundSmtpTls(files);
    return ok(check, 'INBOUND_SMTP_TLS_CERT and INBOUND_SMTP_TLS_KEY belong together');
  } catch (error) {
    return failed(check, (error as Error).message, 'Name PEM files that this user can read.');
  }
}

function unknownVariables(env: Environment): Finding[] {
  const known = knownVariables();
  return Object.keys(env)
    .filter((name) => !known.has(name) && !TEST.test(name) && isLikeOurs(name, known))
    .map((name) =>
      warning(CHECK, `${name} is set, and nothing reads it`, 'Correct its name, or take it away.'),
    );
}

/** Whether it begins as ours do, or is nearly one of them: then it is most likely a typing error. */
function isLikeOurs(name: string, known: Set<string>): boolean {
  const [word] = name.split('_', 1);
  const isOfFamily = !COMMON_WORDS.has(word!) && [...known].some((one) => one.startsWith(`${word}_`));
  if (name.includes('_') && isOfFamily) return true;
  return name.length >= LONG && [...known].some((one) => one.length >= LONG && distance(name, one) <= NEAR);
}

/** What is set, and needs another variable to take effect. */
function unused(env: Environment, config: Config): Finding[] {
  const set = (prefix: string) =>
    [...knownVariables()].filter((name) => name.startsWith(prefix) && env[name]).join(', ');
  const found = (names: string, needed: string) =>
    names === ''
      ? []
      : [warning(CHECK, `${names}: set without ${needed}, and not used`, `Set ${needed}, or take it away.`)];
  return [
    ...(config.attachmentsS3 === null ? found(set('ATTACHMENTS_S3_'), 'ATTACHMENTS_S3_BUCKET') : []),
    ...(config.inboundSmtpPort === null ? found(set('INBOUND_SMTP_TLS_'), 'INBOUND_SMTP_PORT') : []),
  ];
}

function contradictions(config: Config): Finding[] {
  const found: Finding[] = [];
  if (config.databaseUrl !== null && config.secretKey === null)
    found.push(
      warning(
        CHECK,
        'PARLEY_SECRET_KEY is not set: each machine makes a key of its own, and cannot open what others have sealed',
        'Set it to the same 64 hex digits everywhere (openssl rand -hex 32), or to what secret.key in the data directory holds.',
      ),
    );
  if (config.databaseUrl !== null && config.adminKey === null)
    found.push(
      warning(
        CHECK,
        'PARLEY_ADMIN_KEY is not set: there is no /admin/v1',
        'Set it if operators are to use the API.',
      ),
    );
  if (config.adminKey !== null && config.adminKey.length < SHORTEST_KEY)
    found.push(
      warning(
        CHECK,
        `PARLEY_ADMIN_KEY has ${config.adminKey.length} characters: it can be guessed`,
        'Take a longer one (openssl rand -hex 32).',
      ),
    );
  return found;
}
