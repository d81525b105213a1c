/** Where Twilio's API is. */
export const TWILIO = 'https://api.twilio.com';

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
