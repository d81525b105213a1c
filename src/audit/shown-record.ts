import type { RecordTag } from '#kernel/tags.js';
import { shownStatus, type StatusEvent } from '../sales/sales.contract.js';
import { shownTag } from '../tags/tags.contract.js';
import type { StageRow } from '../workspace/workspace.contract.js';
import type { AuditRecord } from './audit-record.js';
import type { AuditLogResponse } from './audit.dto.js';

/** A record as callers see it; `names` are those of actors by their ids. */
export const shownRecord = (row: AuditRecord, names: ReadonlyMap<string, string>): AuditLogResponse => ({
  audit_log_id: row.audit_log_id,
  occurred_at: row.occurred_at,
  agent_id: row.agent_id,
  action_type: row.action_type,
  record: { type: row.record_type, id: row.record_id },
  changes: row.changes.map(({ field, from, to }) => ({
    field,
    from: shownValue(row.record_type, field, from),
    to: shownValue(row.record_type, field, to),
  })),
  actor: { type: row.actor.type, id: row.actor.id, name: names.get(row.actor.id ?? '') ?? null },
  key_id: row.key_id,
  request_id: row.request_id,
  event_id: row.event_id,
  reason: row.reason,
});

const shownStage = ({ status_id, label, status, position }: StageRow): StageRow => ({
  status_id,
  label,
  status,
  position,
});

/** The value of a documented field as the record itself shows it. */
function shownValue(recordType: string, field: string, value: unknown): unknown {
  if (value === null) return value;
  if (recordType === 'pipeline') return (value as StageRow[]).map(shownStage);
  if (field === 'tags') return (value as RecordTag[]).map(shownTag);
  if (recordType !== 'sale') return value;
  if (field === 'current_status') return shownStatus(value as StatusEvent);
  return field === 'status_history' ? (value as StatusEvent[]).map(shownStatus) : value;
}
