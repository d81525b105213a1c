import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import { RowReader } from '#database/statements/row-reader.js';
import { isId } from '#kernel/id.js';
import type { Page } from '#http/paging/page.dto.js';
import { type List, Pages } from '#http/paging/page.js';
import { shownStatus, type StatusEvent } from '../sales/sales.contract.js';
import type { AuditRecord } from './audit-record.js';
import type { AuditLogResponse, ListAuditLogsQuery } from './audit.dto.js';

const COLUMNS = `audit_log_id, occurred_at, agent_id, action_type, record_type, record_id, changes, actor, request_id,
  event_id`;

const AUDIT_LOGS: List = {
  name: 'audit_logs',
  select: `SELECT ${COLUMNS} FROM audit_log`,
  sort: 'occurred_at',
  id: 'audit_log_id',
};

/** Reads of the audit log. */
@Injectable()
export class AuditQueries {
  private readonly records: RowReader<AuditRecord>;

  constructor(
    database: Database,
    private readonly pages: Pages,
  ) {
    this.records = new RowReader(database, {
      name: 'audit_log',
      table: 'audit_log',
      key: 'audit_log_id',
      columns: COLUMNS,
    });
  }

  async list(organizationId: string, query: ListAuditLogsQuery): Promise<Page<AuditLogResponse>> {
    const page = await this.pages.read<AuditRecord>(
      AUDIT_LOGS,
      [
        ['organization_id =', organizationId],
        ['agent_id =', query.agent_id],
        ['record_type =', query.record_type],
        ['action_type =', query.action_type],
        ['record_id =', query.record_id],
      ],
      query,
    );
    return { ...page, data: page.data.map(shown) };
  }

  async record(organizationId: string, id: string): Promise<AuditLogResponse | undefined> {
    if (!isId('audit', id)) return undefined;
    const row = await this.records.one(organizationId, id);
    return row && shown(row);
  }
}

const shown = (row: AuditRecord): AuditLogResponse => ({
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
  actor: { type: row.actor.type, id: row.actor.id },
  request_id: row.request_id,
  event_id: row.event_id,
});

/** The value of a documented field as the record itself shows it. */
function shownValue(recordType: string, field: string, value: unknown): unknown {
  if (recordType !== 'sale' || value === null) return value;
  if (field === 'current_status') return shownStatus(value as StatusEvent);
  return field === 'status_history' ? (value as StatusEvent[]).map(shownStatus) : value;
}
