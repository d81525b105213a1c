import { withoutTrailingSlashes } from '#kernel/url.js';
import type { PublicUrl } from '#http/public-url.js';
import type { TextChannelBody } from './channel.dto.js';
import type { Secrets } from './channel-secrets.js';
import type { ChannelRow } from './workspace.queries.js';

/** Where Twilio's API is. */
const TWILIO = 'https://api.twilio.com';

/** How an organization sends texts. */
export interface TextChannel {
  accountSid: string;
  authToken: string;
  /** Without a slash at its end. */
  baseUrl: string;
  fromNumber: string;
  /** Where the provider reports what became of a text; null when it could not reach us. */
  statusCallback: string | null;
}

export function textChannelOf(row: ChannelRow, { auth_token }: Secrets, publicUrl: PublicUrl): TextChannel {
  const { account_sid, base_url, from_number } = row.settings as unknown as TextChannelBody;
  return {
    accountSid: account_sid,
    authToken: auth_token!,
    baseUrl: base_url ? withoutTrailingSlashes(base_url) : TWILIO,
    fromNumber: from_number,
    statusCallback: publicUrl.isReachable
      ? `${publicUrl.value}/hooks/v1/channels/${row.channel_id}/twilio`
      : null,
  };
}
