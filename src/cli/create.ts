import type { Command } from 'commander';
import { AT_COMMAND_LINE } from '#kernel/context.js';
import { readInput } from '#http/input/input.js';
import { printJson, readJson, withOrganization, withService } from './with-service.js';
import { CreateApiKeyBody } from '../workspace/api-key.dto.js';
import { ApiKeys, ChannelSetup, Organizations } from '../workspace/workspace.contract.js';
import { CreateAgentBody, CreateOrganizationBody } from '../workspace/workspace.dto.js';

interface KeyOptions {
  agent?: string;
  readOnly: boolean;
  expiresAt?: string;
}

/** `create organization|agent|key|channel`: creates the same as /admin/v1, under the same rules. */
export function createCommands(program: Command): void {
  const create = program
    .command('create')
    .description('create an organization, an agent, a key or a channel');

  create
    .command('organization <name>')
    .description('create an organization with its pipeline')
    .option('--timezone <zone>', 'IANA time zone', 'UTC')
    .option('--region <region>', 'region of phone numbers without a country code', 'US')
    .action((name: string, options: { timezone: string; region: string }) =>
      withService(async ({ app }) => {
        const given = { name, timezone: options.timezone, default_region: options.region };
        const body = readInput(CreateOrganizationBody, given);
        printJson(await app.get(Organizations).create(AT_COMMAND_LINE, body));
      }),
    );

  create
    .command('agent <name>')
    .description('create an agent of an organization')
    .requiredOption('--organization <organization_id>', 'the organization')
    .option('--email <address>', "the agent's address")
    .action((name: string, { organization, email }: { organization: string; email?: string }) =>
      withOrganization(organization, async ({ app }) => {
        const body = readInput(CreateAgentBody, { name, ...(email !== undefined && { email }) });
        printJson(await app.get(Organizations).addAgent(AT_COMMAND_LINE, organization, body));
      }),
    );

  create
    .command('key <name> <organization_ids...>')
    .description('issue an API key; its secret is shown this once')
    .option('--agent <agent_id>', 'the agent on whose behalf the key acts')
    .option('--read-only', 'the key may only read', false)
    .option('--expires-at <instant>', 'from when on it is refused, such as 2027-01-01T00:00:00Z')
    .action((name: string, organization_ids: string[], options: KeyOptions) =>
      withService(async ({ app }) => {
        const { agent: agent_id = null, readOnly: read_only, expiresAt: expires_at = null } = options;
        const given = { name, organization_ids, read_only, agent_id, expires_at };
        printJson(await app.get(ApiKeys).issue(AT_COMMAND_LINE, readInput(CreateApiKeyBody, given)));
      }),
    );

  create
    .command('channel <modality>')
    .description('set up the email, text or live_chat channel of an organization, or replace it')
    .requiredOption('--organization <organization_id>', 'the organization')
    // A file and no options: a password on the command line is seen by every user of the machine.
    .requiredOption('--settings <file>', 'JSON as PUT …/channels/{modality} takes it; - reads it from stdin')
    .action((modality: string, { organization, settings }: { organization: string; settings: string }) =>
      withOrganization(organization, async ({ app }) => {
        const given = readJson('--settings', settings);
        printJson(await app.get(ChannelSetup).put(AT_COMMAND_LINE, organization, modality, given));
      }),
    );
}
