import type { StoredEvent } from '#kernel/context.js';
import { deleteByIds, foundByIds } from '#database/by-ids.js';
import type { Statement, Transaction } from '#database/statement.js';
import { groupBy } from '#event-store/group-by.js';
import type { Projection } from '#event-store/projection.js';
import { upsert } from '#event-store/rows.js';
import { audit, type Audited, type AuditRecord } from './audit-record.js';

const RECORD_COLUMNS = [
  'audit_log_id',
  'occurred_at',
  'agent_id',
  'action_type',
  'record_type',
  'record_id',
  'changes',
  'actor',
  'request_id',
  'event_id',
];

/** The name of the audit log among the read models. */
export const AUDIT = 'audit';

/** The audit log as a read model of the feed: one record per event that changed a documented field. */
export function auditLog(audited: Audited[]): Projection {
  const byStreamType = new Map(audited.map((one) => [one.streamType, one]));
  return {
    name: AUDIT,
    version: 1,
    tables: ['audit_log', 'audit_state'],
    streamTypes: [...byStreamType.keys()],
    async apply(tx, events) {
      const relevant = events.filter((event) => byStreamType.has(event.stream_type));
      for (const [organizationId, ofOrganization] of groupBy(relevant, (event) => event.organization_id))
        await applyTo(tx, byStreamType, organizationId, ofOrganization);
    },
  };
}

async function applyTo(
  tx: Transaction,
  byStreamType: Map<string, Audited>,
  organizationId: string,
  events: StoredEvent[],
): Promise<void> {
  const states = await readStates(tx, organizationId, [...new Set(events.map((event) => event.stream_id))]);
  const records: AuditRecord[] = [];
  for (const event of events) {
    const { state, record } = audit(
      byStreamType.get(event.stream_type)!,
      states.get(event.stream_id) ?? null,
      event,
    );
    states.set(event.stream_id, state);
    if (record) records.push(record);
  }
  const writes = stateWrites(organizationId, states);
  if (records.length > 0) writes.push(upsert('audit_log', ['audit_log_id'], RECORD_COLUMNS, records));
  await Promise.all(writes.map((one) => tx.query(one)));
}

async function readStates(
  tx: Transaction,
  organizationId: string,
  ids: string[],
): Promise<Map<string, unknown>> {
  const rows = await tx.query<{ stream_id: string; state: unknown }>({
    text: `SELECT found.* FROM ${foundByIds('audit_state', 'stream_id', 'stream_id, state')}`,
    values: [organizationId, ids],
  });
  return new Map(rows.map(({ stream_id, state }) => [stream_id, state]));
}

function stateWrites(organizationId: string, states: Map<string, unknown>): Statement[] {
  const kept = [...states].filter(([, state]) => state !== null);
  const gone = [...states].filter(([, state]) => state === null).map(([id]) => id);
  const rows = kept.map(([stream_id, state]) => ({ organization_id: organizationId, stream_id, state }));
  const writes: Statement[] = [];
  if (rows.length > 0) writes.push(upsert('audit_state', ['stream_id'], ['stream_id', 'state'], rows));
  if (gone.length > 0)
    writes.push({ text: deleteByIds('audit_state', 'stream_id'), values: [organizationId, gone] });
  return writes;
}
