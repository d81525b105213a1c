import type { TextChannel } from '../workspace/workspace.contract.js';
import type { Outcome } from './delivery.js';

const ATTEMPT_TIMEOUT_MS = 30_000;
/** Failures before the request has left: nothing can have been taken. */
const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Hands a text to Twilio's Messages resource and says exactly what became of it. Never throws. Twilio cannot fold
 * copies, so an answer that got lost is `unknown`.
 */
export async function sendText(channel: TextChannel, to: string, body: string): Promise<Outcome> {
  const { accountSid, authToken, baseUrl, fromNumber, statusCallback } = channel;
  const form = new URLSearchParams({ To: to, From: fromNumber, Body: body });
  if (statusCallback !== null) form.set('StatusCallback', statusCallback);
  try {
    const answer = await fetch(
      `${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
      {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
        body: form,
        redirect: 'manual',
        signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
      },
    );
    return await outcomeOf(answer);
  } catch (error) {
    const cause = (error as { cause?: { code?: string; message?: string } }).cause;
    const text = cause?.message ?? (error as Error).message;
    return { kind: NOT_SENT.test(cause?.code ?? '') ? 'temporary' : 'unknown', error: text };
  }
}

/** 2xx is taken; 429 and 5xx may be taken later; anything else never will be. */
async function outcomeOf(answer: Response): Promise<Outcome> {
  // The status alone decides: a body that breaks off does not take an acceptance back.
  const said = (await answer.json().catch(() => ({}))) as { sid?: string; code?: number; message?: string };
  if (answer.ok) return { kind: 'accepted', response: said.sid ?? '', rejected: [] };
  const { code, message } = said;
  const error = `HTTP ${answer.status}${code === undefined ? '' : `, error ${code}`}: ${message ?? 'no reason given'}`;
  const later = answer.status === 429 || answer.status >= 500;
  return { kind: later ? 'temporary' : 'permanent', error };
}
