import { createHash } from 'node:crypto';
import { canonicalJson } from '#http/idempotency/canonical-json.js';
import type { MessageToRecord } from '../recording/message-to-record.js';

type Told = Pick<MessageToRecord, 'party' | 'modality' | 'content' | 'external_id'> &
  Partial<MessageToRecord>;

/** A message from a provider; the defaults are those of a plain message received just now. */
export const inbound = (told: Told): MessageToRecord => ({
  conversation_id: null,
  folder: undefined,
  agent_id: null,
  message_direction: 'received',
  is_form_request: false,
  subject: null,
  body_html: null,
  call_transcript: null,
  form_request_body: null,
  sent_at: null,
  drafted_at: null,
  email_metadata: {
    email_message_id: null,
    in_reply_to: [],
    references: [],
    cc_emails: [],
    bcc_emails: [],
  },
  call_metadata: { duration: null },
  is_auto_reply: false,
  ...told,
});

/** Somebody of whom nothing is told. */
export const NAMELESS_PERSON = { name: null, email: null, phone_number: null };

/** A contact of whom only a label is known. The next one with this label is a different contact. */
export const unknownParty = (name: string) => ({ name, email: '', phone_number: '' });

/**
 * The `external_id` of a post at a door that anybody may use: the URLs of forms and live chats stand in web pages. It is
 * made of the id and of all that was posted. So nobody gets a stored message for an id they guess, and who takes an id
 * first keeps no other post with it out.
 */
export const publicId = (kind: string, id: string, posted: unknown): string =>
  `${kind}:${id}#${createHash('sha256').update(canonicalJson(posted)).digest('base64url')}`;
