import nodemailer from 'nodemailer';
import type { TextChannelBody } from './channel.dto.js';
import type { EmailChannel } from './email-channel.js';
import { TWILIO } from './text-channel.js';

const TIMEOUT_MS = 10_000;

/** What a provider says to credentials: null when it takes them, else why not. Nothing is sent. */
export async function checkSmtp({ host, port, secure, auth }: EmailChannel): Promise<string | null> {
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
    return (error as Error).message;
  } finally {
    transport.close();
  }
}

/** Asks Twilio's API, or what stands in for it at `base_url`, for the account itself. */
export async function checkTwilio(settings: TextChannelBody, authToken: string): Promise<string | null> {
  const { account_sid, base_url } = settings;
  const credentials = Buffer.from(`${account_sid}:${authToken}`).toString('base64');
  try {
    const answer = await fetch(
      `${base_url ?? TWILIO}/2010-04-01/Accounts/${encodeURIComponent(account_sid)}.json`,
      {
        headers: { authorization: `Basic ${credentials}` },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
    );
    return answer.ok ? null : `The provider answered ${answer.status}.`;
  } catch (error) {
    return `The provider cannot be reached: ${(error as Error).message}`;
  }
}
