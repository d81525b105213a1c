import type { EmailChannelBody } from './channel.dto.js';
import type { Secrets } from './channel-secrets.js';
import type { ChannelRow } from './workspace.queries.js';

/** How an organization sends mail. */
export interface EmailChannel {
  channelId: string;
  host: string;
  port: number;
  secure: boolean;
  auth: { user: string; pass: string } | undefined;
  from: { name: string; address: string };
  /** Whether replies carry an address that names their conversation. */
  replyToken: boolean;
  /** Whether first messages carry a link to unsubscribe. */
  listUnsubscribe: boolean;
}

export function emailChannelOf(row: ChannelRow, { password }: Secrets): EmailChannel {
  const settings = row.settings as unknown as EmailChannelBody;
  return {
    channelId: row.channel_id,
    host: settings.host,
    port: settings.port,
    secure: settings.secure ?? false,
    auth: settings.username ? { user: settings.username, pass: password ?? '' } : undefined,
    from: { name: settings.from_name ?? '', address: settings.from_address },
    replyToken: settings.reply_token ?? false,
    listUnsubscribe: settings.list_unsubscribe ?? false,
  };
}
