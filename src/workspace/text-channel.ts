/** Where Twilio's API is. */
export const TWILIO = 'https://api.twilio.com';

/** How texts leave an organization. */
export interface TextChannel {
  accountSid: string;
  authToken: string;
  /** Without a slash at its end. */
  baseUrl: string;
  fromNumber: string;
  /** Where the provider may tell what became of a text; null when it could not reach it. */
  statusCallback: string | null;
}
