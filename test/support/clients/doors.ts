import { createHmac } from 'node:crypto';
import { type Answer, Client, type Json, ok, unique, type Workspace } from './client.js';

export const FORM_ENCODED = { 'content-type': 'application/x-www-form-urlencoded' };
export const AUTH_TOKEN = 'twilio-auth-token-of-the-tests';

/** Sets the organization's channel for texts and calls up. */
export const textChannel = ({ adminApi }: Workspace): Promise<Json> =>
  ok(
    adminApi.put('channels/text', {
      provider: 'twilio',
      account_sid: 'AC1',
      auth_token: AUTH_TOKEN,
      from_number: '+12125550100',
    }),
  );

/** Path and query of one of the channel's hooks. */
export function pathOf(channel: Json, hook: string): string {
  const { pathname, search } = new URL(channel.hooks[hook]);
  return pathname + search;
}

/** Posts to a hook as a provider would: no API key. */
export const push = (
  { api }: Workspace,
  path: string,
  sent: { body?: unknown; raw?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> },
): Promise<Answer> => new Client(api.url, '').send('POST', path, sent);

/** What Twilio would sign a request with. */
export function twilioSignature(url: string, parameters: Record<string, string>, token = AUTH_TOKEN): string {
  const text = Object.keys(parameters)
    .sort()
    .map((name) => name + parameters[name])
    .join('');
  return createHmac('sha1', token)
    .update(url + text)
    .digest('base64');
}

/** A text as Twilio posts it. */
export const twilioText = (fields: Record<string, string> = {}): Record<string, string> => ({
  ToCountry: 'US',
  SmsMessageSid: 'SM1',
  NumMedia: '0',
  SmsStatus: 'received',
  MessageSid: unique('SM'),
  AccountSid: 'AC1',
  From: '+12125550101',
  To: '+12125550100',
  Body: 'Do you have it in blue?',
  ApiVersion: '2010-04-01',
  ...fields,
});

/** Posts a text, signed unless a signature is given. */
export function pushText(
  workspace: Workspace,
  channel: Json,
  parameters: Record<string, string>,
  signature = twilioSignature(channel.hooks.twilio, parameters),
): Promise<Answer> {
  const raw = new URLSearchParams(parameters).toString();
  return push(workspace, pathOf(channel, 'twilio'), {
    raw,
    headers: { ...FORM_ENCODED, ...(signature !== '' && { 'x-twilio-signature': signature }) },
  });
}

/** All messages, contacts and conversations of an organization. */
export async function contentsOf({
  api,
}: Workspace): Promise<{ messages: Json[]; contacts: Json[]; conversations: Json[] }> {
  const list = async (path: string): Promise<Json[]> => (await ok(api.get(path, { limit: 200 }))).data;
  const conversations = await list('conversations');
  const messages = await Promise.all(
    conversations.map(({ conversation_id }) => list(`conversations/${conversation_id}/messages`)),
  );
  return { messages: messages.flat(), contacts: await list('contacts'), conversations };
}

/** How many there are of each. */
export async function countsOf(
  workspace: Workspace,
): Promise<[messages: number, contacts: number, conversations: number]> {
  const { messages, contacts, conversations } = await contentsOf(workspace);
  return [messages.length, contacts.length, conversations.length];
}

/** Posts the same 32 times at once; the statuses in order. */
export async function thirtyTwo(post: () => Promise<Answer>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: 32 }, post));
  return answers.map(({ status }) => status).sort();
}
