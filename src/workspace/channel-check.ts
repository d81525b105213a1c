import nodemailer from 'nodemailer';
import type { EmailChannel } from './email-channel.js';
import type { TextChannel } from './text-channel.js';
import { tlsTrouble } from './tls-trouble.js';

const TIMEOUT_MS = 10_000;

/** Tries credentials with the provider: null when it accepts them, else why not. Sends nothing. */
export async function checkSmtp(channel: EmailChannel): Promise<string | null> {
  const { host, port, secure, auth } = channel;
  const transport = nodemailer.createTransport({
    host,
    port,
    secure,
    auth,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return tlsTrouble(channel, error) ?? (error as Error).message;
  } finally {
    transport.close();
  }
}

/** Asks Twilio's API, or its stand-in at `base_url`, for the account itself. */
export async function checkTwilio({ accountSid, authToken, baseUrl }: TextChannel): Promise<string | null> {
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  try {
    const answer = await fetch(`${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}.json`, {
      headers: { authorization: `Basic ${credentials}` },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return answer.ok ? null : `The provider answered ${answer.status}.`;
  } catch (error) {
    return `The provider cannot be reached: ${(error as Error).message}`;
  }
}
