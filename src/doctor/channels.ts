import { EventStore } from '#event-store/event-store.js';
import type { Config } from '../config/config.js';
import { existingSecretKey } from '#config/secret-key.js';
import type { Database } from '#database/database.js';
import { type ChannelSetup, channelSetupOn, Vault } from '../workspace/workspace.contract.js';
import { channelsInUse, webhooksInUse } from './doctor.queries.js';
import { failed, type Finding, warning, ok } from './finding.js';

const AT_ONCE = 10;

/**
 * Whether inbound URLs have a public address, webhooks can be signed, and, where they are tried, each channel's provider accepts its
 * credentials.
 */
export async function examineChannels(
  database: Database,
  config: Config,
  tryThem: boolean,
): Promise<Finding[]> {
  const [inUse, webhooks] = await Promise.all([channelsInUse(database), webhooksInUse(database)]);
  if (inUse.length + webhooks.length === 0) return [];
  const findings: Finding[] = [];
  if (inUse.length > 0 && config.publicUrl === null)
    findings.push(
      warning(
        'public URL',
        `PARLEY_PUBLIC_URL is not set, and ${inUse.length} channels show hook URLs on http://localhost`,
        'Set it to how the world reaches this service.',
      ),
    );
  const secretKey = readKey(config);
  if (!Buffer.isBuffer(secretKey)) return [...findings, secretKey];
  if (tryThem) findings.push(...(await tryChannels(inUse, database, config, secretKey)));
  const vault = new Vault(secretKey);
  const closed = webhooks.filter(({ webhook_id, secrets }) => !vault.openIfOurs(secrets, webhook_id));
  if (closed.length > 0)
    findings.push(
      failed(
        'webhooks',
        `the secrets of ${closed.length} cannot be opened, ${closed[0]!.webhook_id} for one: nothing is sent to them`,
        'PARLEY_SECRET_KEY must be the key that sealed them; else rotate the secrets of the webhooks.',
      ),
    );
  return findings;
}

/** Some at a time: a provider that does not answer takes ten seconds. */
async function tryChannels(
  inUse: { organization_id: string; modality: string }[],
  database: Database,
  { publicUrl }: Config,
  secretKey: Buffer,
): Promise<Finding[]> {
  const channels = channelSetupOn(new EventStore(database, {}), secretKey, publicUrl ?? 'http://localhost');
  const findings: Finding[] = [];
  for (let first = 0; first < inUse.length; first += AT_ONCE)
    findings.push(
      ...(await Promise.all(
        inUse
          .slice(first, first + AT_ONCE)
          .map(({ organization_id, modality }) => examineChannel(channels, organization_id, modality)),
      )),
    );
  return findings;
}

function readKey({ secretKey, dataDir }: Config): Buffer | Finding {
  const missing = (detail: string) =>
    failed('secret key', detail, 'Set PARLEY_SECRET_KEY to it, or put secret.key back.');
  try {
    return (
      existingSecretKey(secretKey, dataDir) ??
      missing('the key that has sealed the secrets of channels and webhooks is not here')
    );
  } catch (error) {
    return missing((error as Error).message);
  }
}

async function examineChannel(
  channels: ChannelSetup,
  organizationId: string,
  modality: string,
): Promise<Finding> {
  const check = `channel ${modality} of ${organizationId}`;
  try {
    const { valid, detail } = await channels.validate(organizationId, modality);
    if (valid) return ok(check, 'its provider takes the credentials');
    return failed(
      check,
      `its provider cannot be used: ${detail}`,
      'Correct the channel, or fix the provider.',
    );
  } catch (error) {
    return failed(
      check,
      `its secrets cannot be opened (${(error as Error).message})`,
      'PARLEY_SECRET_KEY must be the key that sealed them; else set the channel up anew.',
    );
  }
}
