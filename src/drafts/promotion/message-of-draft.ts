import { newId, sameIdAs } from '#kernel/id.js';
import type { Named } from '#kernel/named.js';
import { newContent } from '#mail/quotes/new-content.js';
import {
  type AnsweredMessage,
  mailExternalId,
  type MessageToRecord,
  sentTextId,
} from '../../conversations/conversations.contract.js';
import { type InlineImage, withInlineImages } from '../content/inline-images.js';
import { subjectOf, threadOf } from '../content/mail-thread.js';
import type { Accepted } from '../delivery.js';
import type { Draft } from '../draft.js';
import { copiedTo, type DraftFile, recipientsOf } from '../draft-content.js';
import { plainText } from '../content/plain-text.js';

/** The message that a sent draft becomes: in its conversation, or opening one with the recipient. */
export function promotion(
  draft: Draft,
  answered: AnsweredMessage | null,
  { response, from }: Pick<Accepted, 'response' | 'from'>,
): MessageToRecord {
  const isEmail = draft.modality === 'email';
  const content = plainText(draft, draft.modality!);
  const { html, images } = isEmail ? withInlineImages(draft) : { html: draft.body_html, images: [] };
  return {
    party: draft.kind === 'response' ? null : partyOf(draft),
    conversation_id: draft.conversation_id,
    opens_conversation: draft.kind === 'message',
    ...(draft.close_after_send && { closes: { heard_at: draft.heard_at } }),
    folder: undefined,
    agent_id: draft.agent_id,
    modality: draft.modality!,
    message_direction: 'sent',
    ...(from && { from }),
    to: recipientsIn(draft),
    is_form_request: false,
    subject: isEmail ? subjectOf(draft, answered) || null : draft.subject,
    content,
    ...(isEmail && { new_content: newContent(content) }),
    body_html: draft.body_html === null ? null : html,
    call_transcript: null,
    form_request_body: null,
    sent_at: draft.delivery.handed_over_at,
    drafted_at: draft.created_at,
    email_metadata: {
      email_message_id: draft.email_message_id,
      ...(isEmail ? threadOf(answered) : { in_reply_to: [], references: [] }),
      cc_emails: copiedTo(draft),
      bcc_emails: draft.bcc_emails,
    },
    call_metadata: { duration: null },
    external_id: externalId(draft, response),
    is_auto_reply: false,
    attachments: [...draft.files.map(attachmentOf), ...images.map(inlineAttachment)],
    tracked_links: draft.links,
    promoted_from: { draft_id: draft.draft_id, was_overwritten: draft.was_overwritten },
  };
}

const attachmentOf = ({ file_id, file_name, content_type, size, sha256 }: DraftFile) => ({
  attachment_id: sameIdAs('attachment', file_id),
  file_name,
  content_type,
  size,
  sha256,
  is_inline: false,
  content_id: null,
  file_id,
});

const inlineAttachment = ({ content_id, content_type, file_name, bytes, sha256 }: InlineImage) => ({
  attachment_id: newId('attachment'),
  file_name,
  content_type,
  size: bytes.length,
  sha256,
  is_inline: true,
  content_id,
});

/** Whom it went to, the first with the name that the draft gives. */
function recipientsIn(draft: Draft): Named[] {
  const { modality, recipient_name, recipient_phone_number, text_addresses } = draft;
  const named = { name: recipient_name || null, email: null, phone_number: null };
  if (modality === 'text') return [{ ...named, phone_number: text_addresses?.to ?? recipient_phone_number }];
  if (modality !== 'email') return [];
  return recipientsOf(draft).map((email, index) => ({ ...named, ...(index > 0 && { name: null }), email }));
}

/** Matches the contact only by the address that the draft was sent to, not by the other one. */
const partyOf = ({ modality, recipient_name, recipient_email, recipient_phone_number }: Draft) => ({
  name: recipient_name ?? '',
  email: modality === 'email' ? recipient_email! : '',
  phone_number: modality === 'text' ? recipient_phone_number! : '',
});

/** The provider's id of the message (for a text its answer): later reports name it, and it tells our own copy from a new message. */
function externalId({ modality, email_message_id }: Draft, response: string): string | null {
  if (modality === 'email') return mailExternalId(email_message_id!);
  return modality === 'text' && response !== '' ? sentTextId(response) : null;
}
