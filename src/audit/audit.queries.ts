import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import { isId } from '#kernel/id.js';
import type { Page } from '#http/page.dto.js';
import { type List, Pages } from '#http/page.js';
import type { AuditRecord } from './audit-record.js';
import type { AuditLogResponse, ListAuditLogsQuery } from './audit.dto.js';

const AUDIT_LOGS: List = {
  name: 'audit_logs',
  select: `SELECT audit_log_id, occurred_at, agent_id, action_type, record_type, record_id, changes, actor, request_id,
    event_id FROM audit_log`,
  sort: 'occurred_at',
  id: 'audit_log_id',
};

/** Reads of the audit log. */
@Injectable()
export class AuditQueries {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
  ) {}

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
    const [row] = await this.database.query<AuditRecord>({
      name: 'audit_log',
      text: `${AUDIT_LOGS.select} WHERE organization_id = $1 AND audit_log_id = $2`,
      values: [organizationId, id],
      share: { types: ['text', 'text'] },
    });
    return row && shown(row);
  }
}

const shown = (row: AuditRecord): AuditLogResponse => ({
  audit_log_id: row.audit_log_id,
  occurred_at: row.occurred_at,
  agent_id: row.agent_id,
  action_type: row.action_type,
  record: { type: row.record_type, id: row.record_id },
  changes: row.changes,
  actor: row.actor,
  request_id: row.request_id,
  event_id: row.event_id,
});
