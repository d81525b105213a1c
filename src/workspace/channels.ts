import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Database } from '#database/database.js';
import { isId, newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { withoutTrailingSlashes } from '#kernel/url.js';
import type { Hook } from '#http/caller.js';
import { readInput } from '#http/input.js';
import { Pages } from '#http/page.js';
import { notFound, Problem } from '#http/problem.js';
import { PublicUrl } from '#http/public-url.js';
import { checkSmtp, checkTwilio } from './channel-check.js';
import { sameHash } from './api-key.js';
import {
  type ChannelResponse,
  type ChannelValidationResponse,
  EmailChannelBody,
  LiveChatChannelBody,
  TextChannelBody,
} from './channel.dto.js';
import type { EmailChannel } from './email-channel.js';
import { mailboxesOf } from './mailbox.js';
import { type TextChannel, TWILIO } from './text-channel.js';
import { Vault } from './vault.js';
import { Channel } from './workspace.entities.js';
import { WorkspaceCache } from './workspace.cache.js';
import { type ChannelRow, WorkspaceQueries } from './workspace.queries.js';
import { WorkspaceWriter } from './workspace.writer.js';

interface Secrets {
  hook_token: string;
  password?: string | null;
  auth_token?: string;
}

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

/** The channels of an organization, one per modality. Provider secrets and hook tokens are stored sealed. */
@Injectable()
export class Channels {
  /** The opened secrets of rows, kept as long as the rows are. */
  private readonly opened = new WeakMap<object, Secrets>();

  constructor(
    private readonly writer: WorkspaceWriter,
    private readonly queries: WorkspaceQueries,
    private readonly cache: WorkspaceCache,
    private readonly vault: Vault,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Sets up or replaces the channel; id and inbound URLs stay. 404 when there is no such organization. */
  async put(organizationId: string, modality: string, body: unknown): Promise<ChannelResponse> {
    const settings = readInput(typeOf(modality), body) as Record<string, unknown>;
    const secrets = Object.fromEntries(SECRET_FIELDS.map((field) => [field, settings[field]]));
    const chosen = {
      organization_id: organizationId,
      modality,
      provider: settings['provider'] as string,
      settings: Object.fromEntries(
        Object.entries(settings).filter(([field]) => !SECRET_FIELDS.includes(field)),
      ),
      address: (settings['from_address'] as string | undefined)?.toLowerCase() ?? null,
      created_at: now(),
    };
    const row = await this.writer
      // Serialised: two requests that set up one channel at once must agree on its id and token.
      .writeOf(organizationId, async (manager) => {
        const existing = await manager.findOneBy(Channel, { organization_id: organizationId, modality });
        const channel_id = existing?.channel_id ?? newId('channel');
        const hook_token = existing
          ? this.secrets(existing).hook_token
          : randomBytes(24).toString('base64url');
        const row = {
          ...chosen,
          channel_id,
          secrets: this.vault.seal({ hook_token, ...secrets }, channel_id),
        };
        await manager.upsert(Channel, row as never, ['organization_id', 'modality']);
        return row;
      })
      .catch((error: { code?: string }) => {
        if (error.code !== UNIQUE_VIOLATION) throw error;
        throw new Problem(
          400,
          'address_in_use',
          `from_address: ${chosen.address} belongs to another organization's channel.`,
        );
      });
    return this.shown(row);
  }

  async get(organizationId: string, modality: string): Promise<ChannelResponse> {
    return this.shown(await this.existing(organizationId, modality));
  }

  async remove(organizationId: string, modality: string): Promise<void> {
    await this.existing(organizationId, modality);
    await this.writer.write((manager) =>
      manager.delete(Channel, { organization_id: organizationId, modality }),
    );
  }

  /** Tries the credentials with the provider without sending anything. */
  async validate(organizationId: string, modality: string): Promise<ChannelValidationResponse> {
    const detail = await this.check(await this.existing(organizationId, modality));
    return { valid: detail === null, detail };
  }

  async has(organizationId: string, modality: string): Promise<boolean> {
    return (await this.row(organizationId, modality)) !== undefined;
  }

  /** The organization's e-mail channel with its credentials, or null. */
  async email(organizationId: string): Promise<EmailChannel | null> {
    const row = await this.row(organizationId, 'email');
    return row ? this.asEmail(row) : null;
  }

  /** The organization's text channel with its credentials, or null. */
  async text(organizationId: string): Promise<TextChannel | null> {
    const row = await this.row(organizationId, 'text');
    return row ? this.asText(row) : null;
  }

  /** The channel behind a hook URL; null when there is none, or the token is not its own. */
  async verifyHook(channelId: string, token: unknown): Promise<Hook | null> {
    const row = isId('channel', channelId) ? await this.queries.channelById(channelId) : undefined;
    const expected = row ? this.secrets(row).hook_token : '';
    if (!row || typeof token !== 'string' || !sameHash(Buffer.from(token), Buffer.from(expected)))
      return null;
    return { organizationId: row.organization_id, modality: row.modality };
  }

  /** The text channel behind a hook URL without a token; its provider signs requests. 401 when there is none. */
  async signedHook(channelId: string): Promise<{ organizationId: string; authToken: string }> {
    const row = isId('channel', channelId) ? await this.queries.channelById(channelId) : undefined;
    if (!row) throw new Problem(401, 'unauthorized', 'channel_id: there is no such channel.');
    if (row.modality !== 'text') throw notFound('channel', channelId);
    return { organizationId: row.organization_id, authToken: this.secrets(row).auth_token! };
  }

  /** The page that thanks for a form, where the organization has one. */
  async thankYouUrl(organizationId: string): Promise<string | null> {
    const row = await this.queries.channel(organizationId, 'email');
    return (row?.settings as Partial<EmailChannelBody> | undefined)?.form_thank_you_url ?? null;
  }

  /** The organization that receives mail for this address, with any tag after a `+`; or null. */
  async organizationOfAddress(address: string): Promise<string | null> {
    return (await this.queries.channelByAddress(mailboxesOf(address)))?.organization_id ?? null;
  }

  /** For sending and receiving, not for operators: as with keys, every process sees a change within a second. */
  private row(organizationId: string, modality: string): Promise<ChannelRow | undefined> {
    return this.cache.get(`${organizationId}/channels/${modality}`, () =>
      this.queries.channel(organizationId, modality),
    );
  }

  private asText(row: ChannelRow): TextChannel {
    const { account_sid, base_url, from_number } = row.settings as unknown as TextChannelBody;
    return {
      accountSid: account_sid,
      authToken: this.secrets(row).auth_token!,
      baseUrl: base_url ? withoutTrailingSlashes(base_url) : TWILIO,
      fromNumber: from_number,
      statusCallback: this.publicUrl.isReachable
        ? `${this.publicUrl.value}/hooks/v1/channels/${row.channel_id}/twilio`
        : null,
    };
  }

  private check(row: ChannelRow): Promise<string | null> {
    if (row.modality === 'email') return checkSmtp(this.asEmail(row));
    if (row.modality === 'text') return checkTwilio(this.asText(row));
    return Promise.resolve(null);
  }

  private async existing(organizationId: string, modality: string): Promise<ChannelRow> {
    typeOf(modality);
    const row = await this.queries.channel(organizationId, modality);
    if (!row) throw notFound('channel', modality);
    return row;
  }

  private secrets(row: Pick<ChannelRow, 'secrets' | 'channel_id'>): Secrets {
    let secrets = this.opened.get(row);
    if (!secrets) this.opened.set(row, (secrets = this.vault.open<Secrets>(row.secrets, row.channel_id)));
    return secrets;
  }

  private asEmail(row: ChannelRow): EmailChannel {
    const settings = row.settings as unknown as EmailChannelBody;
    const { password } = this.secrets(row);
    return {
      channelId: row.channel_id,
      host: settings.host,
      port: settings.port,
      secure: settings.secure ?? false,
      auth: settings.username ? { user: settings.username, pass: password ?? '' } : undefined,
      from: { name: settings.from_name ?? '', address: settings.from_address },
      replyToken: settings.reply_token ?? false,
    };
  }

  private shown(row: ChannelRow): ChannelResponse {
    const token = this.secrets(row).hook_token;
    const urls = Object.entries(HOOKS[row.modality] ?? {}).map(([name, path]) => [
      name,
      `${this.publicUrl.value}/hooks/v1/channels/${row.channel_id}/${path}${path === SIGNED ? '' : `?token=${token}`}`,
    ]);
    return {
      channel_id: row.channel_id,
      modality: row.modality,
      provider: row.provider,
      ...row.settings,
      ...(row.modality === 'email' && {
        reply_token: (row.settings as { reply_token?: boolean }).reply_token ?? false,
      }),
      hooks: Object.fromEntries(urls) as Record<string, string>,
    };
  }
}

function typeOf(modality: string): new () => object {
  const type = BODIES[modality as keyof typeof BODIES] as (new () => object) | undefined;
  if (!Object.hasOwn(BODIES, modality) || !type) throw notFound('channel', modality);
  return type;
}

/** The channels on a database, without an application around them. */
export function channelsOn(database: Database, secretKey: Buffer, publicUrl: string): Channels {
  const queries = new WorkspaceQueries(database, new Pages(database, secretKey));
  const cache = new WorkspaceCache(queries);
  const writer = new WorkspaceWriter(database, cache);
  return new Channels(writer, queries, cache, new Vault(secretKey), new PublicUrl(publicUrl));
}
