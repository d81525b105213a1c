import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { addressKey } from '#kernel/address.js';
import type { Author } from '#kernel/context.js';
import type { EventStore } from '#event-store/event-store.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { sameValue } from '#kernel/same.js';
import { readInput } from '#http/input/input.js';
import { Pages } from '#http/paging/page.js';
import { notFound, Problem } from '#http/problems/problem.js';
import { PublicUrl } from '#http/public-url.js';
import { checkSmtp, checkTwilio } from './channel-check.js';
import {
  type ChannelResponse,
  type ChannelValidationResponse,
  EmailChannelBody,
  LiveChatChannelBody,
  TextChannelBody,
} from './channel.dto.js';
import { ChannelSecrets } from './channel-secrets.js';
import { emailChannelOf } from './email-channel.js';
import { tokenFor } from './hook-token.js';
import { type SettingChange, SettingsLog } from './settings/settings-log.js';
import { textChannelOf } from './text-channel.js';
import { Vault } from './vault.js';
import { Channel } from './workspace.entities.js';
import { WorkspaceCache } from './workspace.cache.js';
import { type ChannelRow, WorkspaceQueries } from './workspace.queries.js';
import { WorkspaceWriter } from './workspace.writer.js';

const BODIES = { email: EmailChannelBody, text: TextChannelBody, live_chat: LiveChatChannelBody };
const HOOKS: Record<string, Record<string, string>> = {
  email: { email: 'email', form: 'form' },
  text: { twilio: 'twilio', call: 'call' },
  live_chat: { live_chat: 'live-chat' },
};
/** The hook of a provider that signs its requests and shows the URL to people; so it has no token. */
const SIGNED = 'twilio';
const SECRET_FIELDS = ['password', 'auth_token'];
const UNIQUE_VIOLATION = '23505';

/** Sets up the channels of an organization, one per modality. Provider secrets and hook tokens are stored sealed. */
@Injectable()
export class ChannelSetup {
  constructor(
    private readonly writer: WorkspaceWriter,
    private readonly queries: WorkspaceQueries,
    private readonly secrets: ChannelSecrets,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Sets up or replaces the channel; id and inbound URLs stay. 404 when there is no such organization. */
  async put(
    author: Author,
    organizationId: string,
    modality: string,
    body: unknown,
  ): Promise<ChannelResponse> {
    const settings = readInput(typeOf(modality), body) as Record<string, unknown>;
    const from_address = settings['from_address'] as string | undefined;
    const secrets = Object.fromEntries(SECRET_FIELDS.map((field) => [field, settings[field]]));
    const chosen = {
      organization_id: organizationId,
      modality,
      provider: settings['provider'] as string,
      settings: Object.fromEntries(
        Object.entries(settings).filter(([field]) => !SECRET_FIELDS.includes(field)),
      ),
      address: from_address === undefined ? null : addressKey(from_address),
      created_at: now(),
    };
    const row = await this.writer
      // Serialised: two requests that set up one channel at once must agree on its id and token.
      .changeOf(author, organizationId, async (manager) => {
        const existing = await manager.findOneBy(Channel, { organization_id: organizationId, modality });
        const channel_id = existing?.channel_id ?? newId('channel');
        // Secrets that another key has sealed are lost; setting the channel up anew mends that.
        const known = existing && this.secrets.ifOurs(existing);
        const hook_token = known?.hook_token ?? randomBytes(24).toString('base64url');
        const row = {
          ...chosen,
          channel_id,
          secrets: this.secrets.seal({ hook_token, ...secrets }, channel_id),
        };
        const newSecret =
          existing !== null && !sameValue(known, JSON.parse(JSON.stringify({ hook_token, ...secrets })));
        return {
          changes: [{ ...changeOf(row), before: existing && auditedOf(existing), newSecret }],
          write: async () => {
            await manager.upsert(Channel, row as never, ['organization_id', 'modality']);
            return row;
          },
        };
      })
      .catch((error: { code?: string }) => {
        if (error.code !== UNIQUE_VIOLATION) throw error;
        throw new Problem(
          400,
          'address_in_use',
          `from_address: ${from_address} belongs to another organization's channel.`,
        );
      });
    return this.shown(row);
  }

  async get(organizationId: string, modality: string): Promise<ChannelResponse> {
    return this.shown(await this.existing(organizationId, modality));
  }

  /** All that the organization has. */
  async list(organizationId: string): Promise<ChannelResponse[]> {
    const rows = await Promise.all(
      Object.keys(BODIES).map((modality) => this.queries.channel(organizationId, modality)),
    );
    return rows.filter((row) => row !== undefined).map((row) => this.shown(row));
  }

  async remove(author: Author, organizationId: string, modality: string): Promise<void> {
    await this.existing(organizationId, modality);
    await this.writer.changeOf(author, organizationId, async (manager) => {
      const row = await manager.findOneBy(Channel, { organization_id: organizationId, modality });
      return {
        changes: row ? [{ ...changeOf(row), before: auditedOf(row), after: null }] : [],
        write: () => manager.delete(Channel, { organization_id: organizationId, modality }),
      };
    });
  }

  /** Tries the credentials with the provider without sending anything. */
  async validate(organizationId: string, modality: string): Promise<ChannelValidationResponse> {
    const detail = await this.check(await this.existing(organizationId, modality));
    return { valid: detail === null, detail };
  }

  private check(row: ChannelRow): Promise<string | null> {
    if (row.modality === 'email') return checkSmtp(emailChannelOf(row, this.secrets.of(row)));
    if (row.modality === 'text') return checkTwilio(textChannelOf(row, this.secrets.of(row), this.publicUrl));
    return Promise.resolve(null);
  }

  private async existing(organizationId: string, modality: string): Promise<ChannelRow> {
    typeOf(modality);
    const row = await this.queries.channel(organizationId, modality);
    if (!row) throw notFound('channel', modality);
    return row;
  }

  private shown(row: ChannelRow): ChannelResponse {
    const token = this.secrets.of(row).hook_token;
    const urls = Object.entries(HOOKS[row.modality] ?? {}).map(([name, path]) => [
      name,
      `${this.publicUrl.value}/hooks/v1/channels/${row.channel_id}/${path}${path === SIGNED ? '' : `?token=${tokenFor(path, token)}`}`,
    ]);
    return { ...auditedOf(row), hooks: Object.fromEntries(urls) as Record<string, string> };
  }
}

type Shown = Pick<ChannelRow, 'channel_id' | 'modality' | 'provider' | 'settings'>;

/** A channel without its inbound URLs, which have its token. */
const auditedOf = ({ channel_id, modality, provider, settings }: Shown) => ({
  channel_id,
  modality,
  provider,
  ...settings,
  ...(modality === 'email' && switchesOf(settings)),
});

const changeOf = (row: Shown & { organization_id: string }): SettingChange => ({
  organization_id: row.organization_id,
  record_type: 'channel',
  id: row.channel_id,
  before: null,
  after: auditedOf(row),
});

/** Those that are off when they are left out. */
const switchesOf = ({ reply_token = false, list_unsubscribe = false }: Partial<EmailChannelBody>) => ({
  reply_token,
  list_unsubscribe,
});

function typeOf(modality: string): new () => object {
  const type = BODIES[modality as keyof typeof BODIES] as (new () => object) | undefined;
  if (!Object.hasOwn(BODIES, modality) || !type) throw notFound('channel', modality);
  return type;
}

/** The set-up of channels on a store's database, without an application around it. */
export function channelSetupOn(store: EventStore, secretKey: Buffer, publicUrl: string): ChannelSetup {
  const { database } = store;
  const queries = new WorkspaceQueries(database, new Pages(database, secretKey));
  const writer = new WorkspaceWriter(database, new WorkspaceCache(queries), new SettingsLog(store));
  return new ChannelSetup(
    writer,
    queries,
    new ChannelSecrets(new Vault(secretKey)),
    new PublicUrl(publicUrl),
  );
}
