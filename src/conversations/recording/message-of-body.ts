import type { Named } from '#kernel/named.js';
import { RuleViolation } from '#kernel/decider.js';
import { messageIds } from '#mail/mail.js';
import { newContent } from '#mail/quotes/new-content.js';
import { sanitizeHtml } from '#http/input/sanitize-html.js';
import { mailExternalId, messageIdKey } from '../message.js';
import type {
  MessageAuthorBody,
  MessageRecipientBody,
  RecordedContactBody,
  RecordMessageBody,
} from './record-message.dto.js';
import type { MessageToRecord, Party } from './message-to-record.js';

/**
 * The message in a body of `POST …/messages`; if it names no sender, a sent one is the acting agent's. Throws
 * `RuleViolation` for faults that no rule of a single field finds.
 */
export async function messageOfBody(
  body: RecordMessageBody,
  actingAgent: string | null,
): Promise<MessageToRecord> {
  const conversation_id = body.conversation_id ?? null;
  if (conversation_id === null && !body.contact)
    throw violation('contact', 'must be given unless conversation_id is');
  if (body.content === '' && body.modality !== 'call')
    throw violation('content', 'must not be empty, except for a call');
  if (body.form_request_body && !body.is_form_request)
    throw violation('form_request_body', 'is only for messages with is_form_request true');
  const mail = body.email_metadata;
  const email_message_id = ownMessageId(body);
  const cc = body.cc?.map(({ name, email }) => ({ name: name || null, email }));
  return {
    party: body.contact && isTold(body.contact, conversation_id) ? readParty(body.contact) : null,
    conversation_id,
    folder: body.folder ?? undefined,
    agent_id: body.agent_id ?? (body.message_direction === 'sent' ? actingAgent : null),
    modality: body.modality,
    message_direction: body.message_direction,
    is_form_request: body.is_form_request ?? false,
    subject: body.subject ?? null,
    content: body.content,
    ...(body.modality === 'email' && { new_content: newContent(body.content) }),
    ...(body.from && authorOf(body.from, body.message_direction)),
    ...(body.to && { to: body.to.map((one, index) => recipientOf(one, index)) }),
    ...(cc && { cc }),
    body_html: await safeBody(body.body_html),
    call_transcript: body.call_transcript ?? null,
    form_request_body: body.form_request_body ?? null,
    sent_at: body.sent_at ?? null,
    drafted_at: body.drafted_at ?? null,
    email_metadata: {
      email_message_id,
      in_reply_to: idsOf(mail?.in_reply_to),
      references: idsOf(mail?.references),
      cc_emails: mail?.cc_emails ?? cc?.map(({ email }) => email) ?? [],
      bcc_emails: mail?.bcc_emails ?? [],
      ...(mail?.reply_to && { reply_to: mail.reply_to }),
    },
    call_metadata: { duration: body.call_metadata?.duration ?? null },
    external_id: body.external_id || externalIdOf(body.modality, email_message_id),
    is_auto_reply: false,
  };
}

/** An empty `contact` beside a conversation is as none. */
const isTold = (contact: RecordedContactBody, conversationId: string | null): boolean =>
  conversationId === null || Object.values(contact).some((value) => value !== undefined && value !== '');

function readParty({ contact_id, name, email, phone_number }: RecordedContactBody): Party {
  const isDescribed = Boolean(name) || Boolean(email) || Boolean(phone_number);
  // The other fields would be ignored without a word.
  if (contact_id !== undefined && isDescribed)
    throw violation('contact', 'must hold contact_id alone, or name, email and phone_number without it');
  if (contact_id !== undefined) return { contact_id };
  if (!isDescribed)
    throw violation('contact', 'must hold contact_id, or at least one of name, email and phone_number');
  return { name: name ?? '', email: email ?? '', phone_number: phone_number ?? '' };
}

const named = ({ name, email, phone_number }: MessageRecipientBody): Named => ({
  name: name || null,
  email: email || null,
  phone_number: phone_number || null,
});

/** How a message names its author, and whom that makes its writer. A mere name does not tell of another than the contact. */
function authorOf(
  { contact_id, ...told }: MessageAuthorBody,
  direction: RecordMessageBody['message_direction'],
): Pick<MessageToRecord, 'from' | 'written_by'> {
  const from = named(told);
  const isAddressed = from.email !== null || from.phone_number !== null;
  const isNamed = isAddressed || from.name !== null;
  if (contact_id === undefined) {
    if (!isNamed) return {};
    const party = { name: from.name ?? '', email: from.email ?? '', phone_number: from.phone_number ?? '' };
    return { from, ...(isAddressed && direction === 'received' && { written_by: party }) };
  }
  if (direction === 'sent')
    throw violation('from.contact_id', 'is only for received messages: no contact sends');
  return { ...(isNamed && { from }), written_by: { contact_id } };
}

function recipientOf(told: MessageRecipientBody, index: number): Named {
  const recipient = named(told);
  if (Object.values(recipient).every((one) => one === null))
    throw violation(`to.${index}`, 'must hold at least one of name, email and phone_number');
  return recipient;
}

const safeBody = async (html: string | null | undefined): Promise<string | null> =>
  html ? (await sanitizeHtml(html, 'body_html', { isExchanged: true })) || null : null;

/** Message-IDs from a header's text, or from a list, in angle brackets or without. */
const idsOf = (ids: string | string[] | null | undefined): string[] =>
  [ids ?? []]
    .flat()
    .flatMap((text) => text.match(/<[^<>]*>|[^\s,<>]+/g) ?? [])
    .flatMap(messageIds);

/** The mail's own Message-ID; null for empty brackets, which any number of mails may have. */
const ownMessageId = ({ email_metadata }: RecordMessageBody): string | null => {
  const id = email_metadata?.email_message_id ?? '';
  return messageIdKey(id) === '' ? null : id;
};

/** As at the doors, the Message-ID identifies a mail. */
const externalIdOf = (modality: string, messageId: string | null): string | null =>
  modality === 'email' && messageId !== null ? mailExternalId(messageId) : null;

const violation = (field: string, detail: string) => new RuleViolation('validation_failed', detail, field);
