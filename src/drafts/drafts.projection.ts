import type { Statement } from '#database/database.js';
import type { Aggregate } from '#event-store/aggregate.js';
import type { Change } from '#event-store/change.js';
import { upsert } from '#event-store/rows.js';
import { dueAt } from './delivery.js';
import { responseDraft, type ResponseDraft, type ResponseDraftEvent } from './response-draft.js';

export const responseDrafts: Aggregate<ResponseDraft, ResponseDraftEvent> = {
  streamType: 'response_draft',
  evolve: responseDraft.evolve,
  row: {
    table: 'response_draft',
    key: 'response_id',
    columns: [
      'response_id',
      'conversation_id',
      'body_html',
      'cc_emails',
      'bcc_emails',
      'recipient_name',
      'recipient_email',
      'recipient_phone_number',
      'agent_id',
      'add_notification',
      'scheduled_send_at',
      'created_at',
      'modality',
      'email_message_id',
      'was_overwritten',
      'message_id',
      'delivery',
    ],
  },
  alsoTables: ['delivery'],
  also: deliveryRows,
};

const COLUMNS = ['draft_id', 'modality', 'status', 'attempts', 'last_error', 'due_at', 'worker'];

/** One row per draft that was accepted for sending and is neither sent nor taken back. */
function deliveryRows(changes: Change<ResponseDraft>[]): Statement[] {
  const rows = changes.flatMap(({ organizationId, streamId, state }) => {
    if (!state || state.delivery.status === 'none' || state.delivery.status === 'sent') return [];
    const { status, attempts, last_error, worker } = state.delivery;
    const { modality, delivery } = state;
    return [
      {
        organization_id: organizationId,
        draft_id: streamId,
        modality,
        status,
        attempts,
        last_error,
        due_at: dueAt(delivery),
        worker,
      },
    ];
  });
  const kept = new Set(rows.map(({ draft_id }) => draft_id));
  const gone = changes.filter(({ streamId }) => !kept.has(streamId));
  const statements: Statement[] = [];
  if (rows.length > 0) statements.push(upsert('delivery', ['draft_id'], COLUMNS, rows));
  if (gone.length > 0)
    statements.push({
      name: 'forget_deliveries',
      text: `DELETE FROM delivery d USING unnest($1::text[], $2::text[]) AS g(organization_id, draft_id)
              WHERE d.organization_id = g.organization_id AND d.draft_id = g.draft_id`,
      values: [gone.map(({ organizationId }) => organizationId), gone.map(({ streamId }) => streamId)],
    });
  return statements;
}
