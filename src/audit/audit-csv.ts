import { csvOf } from '#http/csv.js';
import type { AdminAuditLogResponse, AuditLogResponse } from './audit.dto.js';

type Shown = AuditLogResponse & Partial<AdminAuditLogResponse>;
type Cells = Record<string, string | null>;

const HEADER = [
  'audit_log_id',
  'occurred_at',
  'action_type',
  'record_type',
  'record_id',
  'field',
  'from',
  'to',
  'agent_id',
  'actor_type',
  'actor_id',
  'actor_name',
  'key_id',
  'request_id',
  'event_id',
  'reason',
];

/** A row for each change of these records, below the names of the columns; `anywhere`: of which organization, too. */
export function auditCsv(records: Shown[], { anywhere }: { anywhere: boolean }): string {
  const header = anywhere ? ['organization_id', ...HEADER] : HEADER;
  const rows = records.flatMap((record) => rowsOf(record)).map((row) => header.map((name) => row[name]));
  return csvOf([header, ...rows]);
}

const rowsOf = ({ record, changes, actor, ...others }: Shown): Cells[] =>
  changes.map(({ field, from, to }) => ({
    ...others,
    record_type: record.type,
    record_id: record.id,
    field,
    from: asText(from),
    to: asText(to),
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.name,
  }));

/** Text as it is, anything else as JSON. */
const asText = (value: unknown): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);
