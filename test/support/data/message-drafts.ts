import { emailChannel, type Json, ok, type Workspace } from '../clients/client.js';
import { messagesOf } from './mail.js';
import type { TestSmtp } from '../stand-ins/smtp.js';
import { until } from '../until.js';

/** Body of a first message by e-mail that leaves at once; a text with `modality`. */
export const firstMessage = (fields: object = {}): object => ({
  modality: 'email',
  subject: 'Your renewal',
  body_html: '<p>Shall we talk about it?</p>',
  to_user_name: 'Grace Hopper',
  to_email: 'grace@navy.example',
  to_phone_number: '+1 212 555 0101',
  autosend_draft: true,
  add_notification: false,
  ...fields,
});

/** The token of a link to unsubscribe, from a first message that this server took. */
export async function unsubscribeToken(workspace: Workspace, smtp: TestSmtp): Promise<string> {
  await emailChannel(workspace, smtp.port, { list_unsubscribe: true });
  await openedBy(workspace, await ok(workspace.api.post('message-drafts', firstMessage())));
  return /\/u\/([\w.-]+)>/.exec(smtp.mails.at(-1)!.raw.replace(/\r\n[ \t]/g, ''))![1]!;
}

/** The message draft once its delivery has this status. */
export async function messageDraftWith(
  { api }: Workspace,
  { draft_id }: Json,
  status: string,
): Promise<Json> {
  let shown: Json;
  await until(async () => {
    shown = (await api.get(`message-drafts/${draft_id}`)).body;
    return shown.delivery?.status === status;
  });
  return shown;
}

/** The conversation that a message draft has opened, and its one message, once it has. */
export async function openedBy(
  workspace: Workspace,
  { draft_id }: Json,
): Promise<{ conversation: Json; message: Json }> {
  let hint: Json;
  await until(async () => {
    const { body } = await workspace.api.get(`message-drafts/${draft_id}`);
    hint = body.hint;
    return body.code === 'draft_promoted';
  });
  const conversation = await ok(workspace.api.get(hint.route));
  const messages = await messagesOf(workspace, conversation);
  expect(messages).toHaveLength(1);
  return { conversation, message: messages[0] };
}
