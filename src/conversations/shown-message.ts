import { inOrder } from '#kernel/in-order.js';
import type { MessageResponse } from './conversations.dto.js';
import { type Clicks, shownLink } from './link-clicks.queries.js';
import { NAMELESS } from './message.js';

type Lately = 'new_content' | 'visitor_id' | 'attachments' | 'from' | 'to' | 'cc';

/** A message's row, or what is recorded of it. */
export type MessageRow = Omit<MessageResponse, 'tracked_links' | Lately> & {
  [Field in Lately]?: MessageResponse[Field] | null;
} & { tracked_links?: { link_id: string; url: string }[]; raw?: { sha256: string; size: number } | null };

const ATTACHMENT_FIELDS = [
  'attachment_id',
  'file_name',
  'content_type',
  'size',
  'sha256',
  'is_inline',
  'content_id',
] as const;

/** The message as the contract shows it, in its order of fields, from its row or from what is recorded. */
export const shownMessage = (
  row: MessageRow,
  clicks: ReadonlyMap<string, Clicks> = new Map(),
): MessageResponse => ({
  message_id: row.message_id,
  conversation_id: row.conversation_id,
  agent_id: row.agent_id,
  modality: row.modality,
  message_direction: row.message_direction,
  from: { ...NAMELESS, ...row.from },
  to: row.to ?? [],
  cc: row.cc ?? row.email_metadata.cc_emails.map((email) => ({ name: null, email })),
  is_form_request: row.is_form_request,
  subject: row.subject,
  content: row.content,
  body_html: row.body_html,
  call_transcript: row.call_transcript,
  form_request_body: row.form_request_body,
  sent_at: row.sent_at,
  drafted_at: row.drafted_at,
  email_metadata: {
    email_message_id: row.email_metadata.email_message_id,
    in_reply_to: row.email_metadata.in_reply_to,
    references: row.email_metadata.references,
    cc_emails: row.email_metadata.cc_emails,
    bcc_emails: row.email_metadata.bcc_emails,
    ...(row.email_metadata.reply_to !== undefined && { reply_to: row.email_metadata.reply_to }),
    ...(row.email_metadata.reply_to_other_domain && { reply_to_other_domain: true }),
    ...(row.email_metadata.authentication && { authentication: row.email_metadata.authentication }),
  },
  call_metadata: row.call_metadata,
  tracked_links: (row.tracked_links ?? []).map((link) => shownLink(link, clicks)),
  external_id: row.external_id,
  is_auto_reply: row.is_auto_reply,
  new_content: row.new_content ?? null,
  visitor_id: row.visitor_id ?? null,
  attachments: (row.attachments ?? []).map((one) => inOrder(one, ATTACHMENT_FIELDS)),
});
