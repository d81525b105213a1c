import { Injectable } from '@nestjs/common';
import { addressKey } from '#kernel/address.js';
import { isId } from '#kernel/id.js';
import type { Hook } from '#http/access/caller.js';
import { notFound, Problem } from '#http/problems/problem.js';
import { PublicUrl } from '#http/public-url.js';
import type { EmailChannelBody } from './channel.dto.js';
import { ChannelSecrets } from './channel-secrets.js';
import { type EmailChannel, emailChannelOf } from './email-channel.js';
import { opens } from './hook-token.js';
import { mailboxesOf } from './mailbox.js';
import { type TextChannel, textChannelOf } from './text-channel.js';
import { WorkspaceCache } from './workspace.cache.js';
import { type ChannelRow, WorkspaceQueries } from './workspace.queries.js';

/** The channels of organizations, for what is sent and received by them. */
@Injectable()
export class Channels {
  constructor(
    private readonly queries: WorkspaceQueries,
    private readonly cache: WorkspaceCache,
    private readonly secrets: ChannelSecrets,
    private readonly publicUrl: PublicUrl,
  ) {}

  async has(organizationId: string, modality: string): Promise<boolean> {
    return (await this.row(organizationId, modality)) !== undefined;
  }

  /** The organization's e-mail channel with its credentials, or null. */
  async email(organizationId: string): Promise<EmailChannel | null> {
    const row = await this.row(organizationId, 'email');
    return row ? emailChannelOf(row, this.secrets.of(row)) : null;
  }

  /** The organization's own mailbox, by its key (`addressKey`), or null. */
  async mailbox(organizationId: string): Promise<string | null> {
    const row = await this.row(organizationId, 'email');
    return row ? addressKey((row.settings as unknown as EmailChannelBody).from_address) : null;
  }

  /** Tells the organization's own address, with any tag after a `+`, from those of others. */
  async ownAddress(organizationId: string): Promise<(address: string) => boolean> {
    const own = await this.mailbox(organizationId);
    return (address) => own !== null && mailboxesOf(address).includes(own);
  }

  /** The organization's text channel with its credentials, or null. */
  async text(organizationId: string): Promise<TextChannel | null> {
    const row = await this.row(organizationId, 'text');
    return row ? textChannelOf(row, this.secrets.of(row), this.publicUrl) : null;
  }

  /** The channel behind a hook URL; null when there is none, or the token is not that of this door. */
  async verifyHook(channelId: string, door: string, token: unknown): Promise<Hook | null> {
    const row = isId('channel', channelId) ? await this.queries.channelById(channelId) : undefined;
    if (!row || typeof token !== 'string') return null;
    if (!opens(token, door, this.secrets.of(row).hook_token)) return null;
    return { organizationId: row.organization_id, modality: row.modality };
  }

  /** The text channel behind a hook URL without a token; its provider signs requests. 401 when there is none. */
  async signedHook(channelId: string): Promise<{ organizationId: string; authToken: string }> {
    const row = isId('channel', channelId) ? await this.queries.channelById(channelId) : undefined;
    if (!row) throw new Problem(401, 'unauthorized', 'channel_id: there is no such channel.');
    if (row.modality !== 'text') throw notFound('channel', channelId);
    return { organizationId: row.organization_id, authToken: this.secrets.of(row).auth_token! };
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

  /** As with keys, every process sees a change within a second. */
  private row(organizationId: string, modality: string): Promise<ChannelRow | undefined> {
    return this.cache.get(`${organizationId}/channels/${modality}`, () =>
      this.queries.channel(organizationId, modality),
    );
  }
}
