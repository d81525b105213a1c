import type { Versioned } from '#event-store/change.js';
import { atVersion } from '#http/versions/versioned.js';
import { recipientsOf } from './draft-content.js';
import { type Draft, isOnItsWay } from './draft.js';
import type {
  MessageDraftResponse,
  ResponseDraftResponse,
  SavedMessageDraftResponse,
  SavedResponseDraftResponse,
} from './drafts.dto.js';
import type { DraftRow } from './drafts.queries.js';

/** What both kinds show. */
function common(row: DraftRow) {
  const { status, attempts, last_error, next_attempt_at } = row.delivery;
  return {
    body_html: row.body_html,
    recipient_name: row.recipient_name,
    recipient_email: row.recipient_email,
    recipient_emails: recipientsOf(row),
    recipient_phone_number: row.recipient_phone_number,
    cc_emails: row.cc_emails,
    bcc_emails: row.bcc_emails,
    files: row.files,
    without_signature: row.without_signature,
    scheduled_send_at: row.scheduled_send_at,
    created_at: row.created_at,
    delivery: { status, attempts, last_error, next_attempt_at },
    updated_at: row.updated_at,
  };
}

export const shownResponse = (row: DraftRow): ResponseDraftResponse =>
  atVersion(
    {
      response_id: row.draft_id,
      conversation_id: row.conversation_id!,
      ...common(row),
      cancel_on_reply: row.cancel_on_reply,
      close_after_send: row.close_after_send,
    },
    row.stream_version,
  );

export const shownMessage = (row: DraftRow): MessageDraftResponse =>
  atVersion(
    {
      draft_id: row.draft_id,
      subject: row.subject,
      modality: row.modality!,
      agent_id: row.agent_id,
      folder: row.folder!,
      ...common(row),
    },
    row.stream_version,
  );

const accepted = (draft: Draft) => ({
  scheduled_to_send: isOnItsWay(draft),
  scheduled_send_at: draft.scheduled_send_at,
});

/** The answer to saving or sending a response draft. */
export const savedResponse = ({ state, version }: Versioned<Draft>): SavedResponseDraftResponse =>
  atVersion(
    { response_id: state!.draft_id, conversation_id: state!.conversation_id!, ...accepted(state!) },
    version,
  );

/** The answer to creating or sending a message draft. */
export const savedMessage = ({ state, version }: Versioned<Draft>): SavedMessageDraftResponse =>
  atVersion({ draft_id: state!.draft_id, ...accepted(state!), folder: state!.folder! }, version);
