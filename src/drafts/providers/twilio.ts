import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { text as bodyOf } from 'node:stream/consumers';
import type { TextChannel } from '../../workspace/workspace.contract.js';
import type { Outcome } from '../delivery.js';

/**
 * Hands a text to Twilio's Messages resource and tells exactly what became of it. Never throws. Twilio cannot fold copies,
 * so a lost answer is `unknown`. Each text gets its own connection: if a reused one broke, nobody could tell whether before
 * the text.
 */
export function sendText(
  channel: TextChannel,
  { to, from }: { to: string; from: string },
  body: string,
  timeoutMs: number,
): Promise<Outcome> {
  const { accountSid, authToken, baseUrl, statusCallback } = channel;
  const form = new URLSearchParams({ To: to, From: from, Body: body });
  if (statusCallback !== null) form.set('StatusCallback', statusCallback);
  const url = new URL(`${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`);
  const secure = url.protocol === 'https:';
  return new Promise((resolve) => {
    let connected = false;
    let answered = false;
    const asked = (secure ? overHttps : overHttp)(url, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      signal: AbortSignal.timeout(timeoutMs),
    });
    // Until there is a connection, nothing can have been taken.
    asked.on('socket', (socket) =>
      socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true)),
    );
    asked.on('response', (answer) => {
      answered = true;
      void outcomeOf(answer).then(resolve);
    });
    // While nobody listens for this, such an answer ends the request without a word, and the deadline with it.
    asked.on('upgrade', (answer, socket) => {
      socket.destroy();
      void outcomeOf(answer).then(resolve);
    });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // Once there is a status, it decides.
      if (!answered) resolve({ kind: connected ? 'unknown' : 'temporary', error: reasonOf(error) });
    });
    asked.end(form.toString());
  });
}

/** 2xx: taken. 429 and 5xx: may be taken later. Anything else: never. */
async function outcomeOf(answer: IncomingMessage): Promise<Outcome> {
  const status = answer.statusCode!;
  // The status alone decides: a body that breaks off does not undo an acceptance.
  const said = fieldsOf(await bodyOf(answer).catch(() => ''));
  if (status >= 200 && status < 300)
    return {
      kind: 'accepted',
      response: typeof said.sid === 'string' ? said.sid : '',
      rejected: [],
      deferred: [],
    };
  const { code, message } = said;
  const error = `HTTP ${status}${code === undefined ? '' : `, error ${code}`}: ${message ?? 'no reason given'}`;
  if (status === 429 || status >= 500) return { kind: 'temporary', error };
  return { kind: 'permanent', error, ...(code === UNSUBSCRIBED && { unsubscribed: true }) };
}

/** The recipient has answered STOP. */
const UNSUBSCRIBED = 21610;

interface Said {
  sid?: string;
  code?: number;
  message?: string;
}

function fieldsOf(text: string): Said {
  try {
    return (JSON.parse(text) as Said | null) ?? {};
  } catch {
    return {};
  }
}

/** An error from trying several addresses of a host has no message of its own. */
const reasonOf = ({ name, message, code }: NodeJS.ErrnoException): string =>
  name === 'AbortError' ? 'no answer in time' : message || code || 'no reason given';
