import { deleteByIds } from '#database/by-ids.js';
import type { Statement } from '#database/statements/statement.js';
import type { Aggregate } from '#event-store/aggregate.js';
import type { Change } from '#event-store/change.js';
import { upsert } from '#event-store/rows.js';
import { sameValue } from '#kernel/same.js';
import { dueAt } from './delivery.js';
import { draft, type Draft, type DraftEvent } from './draft.js';

export const drafts: Aggregate<Draft, DraftEvent> = {
  streamType: 'draft',
  evolve: draft.evolve,
  row: {
    table: 'draft',
    key: 'draft_id',
    stamped: true,
    columns: [
      'draft_id',
      'kind',
      'conversation_id',
      'subject',
      'body_html',
      'cc_emails',
      'bcc_emails',
      'recipient_name',
      'recipient_email',
      'recipient_emails',
      'text_addresses',
      'recipient_phone_number',
      'recipient_key',
      'agent_id',
      'add_notification',
      'folder',
      'modality',
      'created_at',
      'scheduled_send_at',
      'email_message_id',
      'links',
      'was_overwritten',
      'cancel_on_reply',
      'close_after_send',
      'heard_at',
      'files',
      'without_signature',
      'writer_id',
      'message_id',
      'delivery',
    ],
  },
  isSilent: ({ type }, before, after) =>
    type === 'DraftOverwritten' && SHOWN.every((field) => sameValue(before[field], after[field])),
  alsoTables: ['delivery', 'tracked_link'],
  // A conversation has one pending reply: the one that was there has to be gone before another one comes.
  reaching: ['DraftMoved'] satisfies DraftEvent['type'][],
  also: (organizationId, changes) => [
    ...deliveryRows(organizationId, changes),
    ...linkRows(organizationId, changes),
  ],
};

/** What is shown of a draft and may be the same after it was overwritten. */
const SHOWN = [
  'subject',
  'body_html',
  'cc_emails',
  'bcc_emails',
  'recipient_name',
  'recipient_email',
  'recipient_emails',
  'recipient_phone_number',
  'scheduled_send_at',
  'cancel_on_reply',
  'close_after_send',
  'files',
  'without_signature',
  'delivery',
] as const satisfies (keyof Draft)[];

const DELIVERY_COLUMNS = ['draft_id', 'modality', 'status', 'attempts', 'last_error', 'due_at', 'worker'];

const hasDelivery = (draft: Draft | null): draft is Draft =>
  draft !== null && draft.delivery.status !== 'none' && draft.delivery.status !== 'sent';

/** One row per draft accepted for sending and neither sent nor taken back. A bounced draft has its row again. */
function deliveryRows(organizationId: string, changes: Change<Draft>[]): Statement[] {
  const rows = changes.flatMap(({ streamId, state }) => {
    if (!hasDelivery(state)) return [];
    const { modality, delivery } = state;
    const { status, attempts, last_error, worker } = delivery;
    return [
      {
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
  const gone = changes.filter(({ streamId, before }) => hasDelivery(before) && !kept.has(streamId));
  const goneIds = gone.map(({ streamId }) => streamId);
  return [
    ...(rows.length > 0 ? [upsert('delivery', ['draft_id'], DELIVERY_COLUMNS, organizationId, rows)] : []),
    ...deleteByIds('delivery', 'draft_id', organizationId, goneIds),
  ];
}

/**
 * The links of queued drafts. Written before the mail leaves: people follow them as soon as it arrives. A draft that is
 * queued again may keep its links; a row is written once.
 */
function linkRows(organizationId: string, changes: Change<Draft, DraftEvent>[]): Statement[] {
  const rows = new Map<string, object>();
  for (const { streamId: draft_id, events } of changes)
    for (const { data } of events) {
      const queued = 'queued' in data ? data.queued : null;
      for (const link of queued?.links ?? []) rows.set(link.link_id, { draft_id, ...link });
    }
  if (rows.size === 0) return [];
  return [
    upsert('tracked_link', ['link_id'], ['link_id', 'draft_id', 'url'], organizationId, [...rows.values()]),
  ];
}
