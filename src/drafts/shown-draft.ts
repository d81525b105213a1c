import { type Draft, isOnItsWay } from './draft.js';
import type {
  MessageDraftResponse,
  ResponseDraftResponse,
  SavedMessageDraftResponse,
  SavedResponseDraftResponse,
} from './drafts.dto.js';
import type { DraftRow } from './drafts.queries.js';

/** What both kinds show. */
function common({ delivery, ...row }: DraftRow) {
  const { status, attempts, last_error, next_attempt_at } = delivery;
  return {
    body_html: row.body_html,
    recipient_name: row.recipient_name,
    recipient_email: row.recipient_email,
    recipient_phone_number: row.recipient_phone_number,
    cc_emails: row.cc_emails,
    bcc_emails: row.bcc_emails,
    scheduled_send_at: row.scheduled_send_at,
    created_at: row.created_at,
    delivery: { status, attempts, last_error, next_attempt_at },
  };
}

export const shownResponse = (row: DraftRow): ResponseDraftResponse => ({
  response_id: row.draft_id,
  conversation_id: row.conversation_id!,
  ...common(row),
});

export const shownMessage = (row: DraftRow): MessageDraftResponse => ({
  draft_id: row.draft_id,
  subject: row.subject,
  modality: row.modality!,
  agent_id: row.agent_id,
  folder: row.folder!,
  ...common(row),
});

const accepted = (draft: Draft) => ({
  scheduled_to_send: isOnItsWay(draft),
  scheduled_send_at: draft.scheduled_send_at,
});

/** The answer to saving or sending a response draft. */
export const savedResponse = (draft: Draft): SavedResponseDraftResponse => ({
  response_id: draft.draft_id,
  conversation_id: draft.conversation_id!,
  ...accepted(draft),
});

/** The answer to creating or sending a message draft. */
export const savedMessage = (draft: Draft): SavedMessageDraftResponse => ({
  draft_id: draft.draft_id,
  ...accepted(draft),
  folder: draft.folder!,
});
