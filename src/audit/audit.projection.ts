import type { StoredEvent } from '#kernel/context.js';
import type { Statement } from '#database/statements/statement.js';
import type { Alongside } from '#event-store/append.js';
import { rowsFor } from '#event-store/bulk.js';
import { EVENT_COLUMNS } from '#event-store/feed.js';
import { groupBy } from '#event-store/group-by.js';
import type { Projection } from '#event-store/projection.js';
import { readStreams } from '#event-store/read-streams.js';
import { upsert } from '#event-store/rows.js';
import type { Upcasters } from '#event-store/upcast.js';
import { audit, type Audited, type AuditRecord } from './audit-record.js';

const RECORD_COLUMNS = [
  'audit_log_id',
  'occurred_at',
  'agent_id',
  'action_type',
  'record_type',
  'record_id',
  'changes',
  'fields',
  'actor',
  'actor_type',
  'key_id',
  'request_id',
  'event_id',
  'reason',
];

/**
 * The audit log: one record per event that changed a documented field. `alongside` writes it in the transaction of the
 * events; `projection` rebuilds it from them.
 */
export function auditLog(
  audited: Audited[],
  upcasters: Upcasters,
): { alongside: Alongside; projection: Projection } {
  const byStreamType = new Map(audited.map((one) => [one.streamType, one]));

  /** The records for events of one stream, given the state before the first of them. */
  const recordsOf = (events: StoredEvent[], before: unknown): AuditRecord[] => {
    const one = events[0] && byStreamType.get(events[0].stream_type);
    if (!one) return [];
    let state = before;
    return events.flatMap((event) => {
      const { state: after, record } = audit(one, state, event);
      state = after;
      return record ?? [];
    });
  };

  return {
    alongside: (organizationId, changes) =>
      written(
        organizationId,
        changes.flatMap(({ events, before }) => recordsOf(events, before)),
      ),
    projection: {
      name: 'audit',
      version: 2,
      tables: ['audit_log'],
      streamTypes: [...byStreamType.keys()],
      async apply(tx, events) {
        const relevant = events.filter((event) => byStreamType.has(event.stream_type));
        for (const [organizationId, told] of groupBy(relevant, (event) => event.organization_id)) {
          const wanted = new Set(told.map((event) => event.event_id));
          const ids = [...new Set(told.map((event) => event.stream_id))];
          // The values before an event follow only from the stream's earlier events.
          const streams = await readStreams(tx, organizationId, ids, upcasters);
          const records = streams.flatMap((stream) => recordsOf(stream, null));
          const own = records.filter((record) => wanted.has(record.event_id));
          for (const statement of written(organizationId, own)) await tx.query(statement);
        }
      },
      bulk: {
        select: `SELECT ${EVENT_COLUMNS} FROM es_event`,
        begin: () =>
          Promise.resolve({
            add: (streams) => [
              rowsFor(
                'audit_log',
                RECORD_COLUMNS,
                streams.flatMap((stream) => recordsOf(stream, null)),
              ),
            ],
            end: () => [],
          }),
      },
    },
  };
}

const written = (organizationId: string, records: AuditRecord[]): Statement[] =>
  records.length === 0
    ? []
    : [upsert('audit_log', ['audit_log_id'], RECORD_COLUMNS, organizationId, records)];
