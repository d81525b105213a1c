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
}
