import type { Draft } from './draft.js';

/** The fields that the contract documents for this kind of draft; null once the draft is a message. */
export function documentedFields(state: Draft): Record<string, unknown> | null {
  if (state.message_id !== null) return null;
  const { draft_id, body_html, recipient_name, recipient_email, recipient_phone_number } = state;
  const { cc_emails, bcc_emails, files, without_signature, scheduled_send_at, created_at } = state;
  const recipient = { recipient_name, recipient_email, recipient_phone_number, cc_emails, bcc_emails };
  const common = { ...recipient, files, without_signature, scheduled_send_at, created_at };
  if (state.kind === 'response') {
    const { conversation_id, cancel_on_reply, close_after_send } = state;
    return {
      response_id: draft_id,
      conversation_id,
      body_html,
      ...common,
      cancel_on_reply,
      close_after_send,
    };
  }
  const { subject, modality, agent_id, folder } = state;
  return { draft_id, subject, body_html, modality, agent_id, folder, ...common };
}

/** What a draft has that names nothing of it. */
export const DRAFT_DEFAULTS = {
  files: [],
  without_signature: false,
  cancel_on_reply: false,
  close_after_send: false,
};
