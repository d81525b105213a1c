/** Where Twilio's API is. */
export const TWILIO = 'https://api.twilio.com';

/** How texts leave an organization. */
export interface TextChannel {
  accountSid: string;
  authToken: string;
  /** Without a slash at its end. */
  baseUrl: string;
  fromNumber: string;
}
