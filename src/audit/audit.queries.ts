import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import { RowReader } from '#database/statements/row-reader.js';
import { isId } from '#kernel/id.js';
import type { Page } from '#http/paging/page.dto.js';
import { Pages } from '#http/paging/page.js';
import { AUDIT_COLUMNS, auditList } from './audit-lists.queries.js';
import { type AuditRecord, RECORD_TYPES } from './audit-record.js';
import {
  type AdminAuditLogResponse,
  ALL,
  type AuditLogResponse,
  type ListAllAuditLogsQuery,
  type ListAuditLogsQuery,
} from './audit.dto.js';
import { type AgentOf, Names } from '../workspace/workspace.contract.js';
import { shownRecord } from './shown-record.js';

/** Reads of the audit log. */
@Injectable()
export class AuditQueries {
  private readonly records: RowReader<AuditRecord>;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly names: Names,
  ) {
    this.records = new RowReader(database, {
      name: 'audit_log',
      table: 'audit_log',
      key: 'audit_log_id',
      columns: AUDIT_COLUMNS,
    });
  }

  async list(organizationId: string, query: ListAuditLogsQuery): Promise<Page<AuditLogResponse>> {
    const page = await this.read({ ...query, organization_id: organizationId });
    const names = await this.namesOf(page.data);
    return { ...page, data: page.data.map((row) => shownRecord(row, names)) };
  }

  /** Over all organizations, or the one that the query names. */
  async listAll(query: ListAllAuditLogsQuery): Promise<Page<AdminAuditLogResponse>> {
    const page = await this.read(query, 'admin_');
    const names = await this.namesOf(page.data);
    const shown = (row: AuditRecord) => ({
      organization_id: row.organization_id,
      ...shownRecord(row, names),
    });
    return { ...page, data: page.data.map(shown) };
  }

  async record(organizationId: string, id: string): Promise<AuditLogResponse | undefined> {
    if (!isId('audit', id)) return undefined;
    const row = await this.records.one(organizationId, id);
    return row && shownRecord(row, await this.namesOf([row]));
  }

  /** The record of one of these organizations; the primary key is probed for each. */
  async recordAmong(organizationIds: string[], id: string): Promise<AdminAuditLogResponse | undefined> {
    if (!isId('audit', id)) return undefined;
    const [row] = await this.database.query<AuditRecord>({
      name: 'audit_log_among',
      text: `SELECT ${AUDIT_COLUMNS} FROM audit_log WHERE organization_id = ANY ($1) AND audit_log_id = $2`,
      values: [organizationIds, id],
    });
    return row && { organization_id: row.organization_id, ...shownRecord(row, await this.namesOf([row])) };
  }

  /** What the actors are called, by their ids. */
  private namesOf(rows: AuditRecord[]): Promise<ReadonlyMap<string, string>> {
    const agents = rows.flatMap((row): AgentOf[] =>
      row.actor.type === 'agent' ? [[row.organization_id, row.actor.id!]] : [],
    );
    const keys = rows.flatMap(({ actor }) => (actor.type === 'key' ? [actor.id!] : []));
    return this.names.of(agents, keys);
  }

  /** `prefix` keeps the cursors of one list from those of another over the same records. */
  private read(query: ListAllAuditLogsQuery, prefix = ''): Promise<Page<AuditRecord>> {
    const { record_type, action_type: action_types, actor_type: actor_types, ...others } = query;
    const record_types = record_type?.includes(ALL) ? RECORD_TYPES : record_type;
    const { list, conditions } = auditList(
      { ...others, record_types, action_types, actor_types },
      this.database,
    );
    return this.pages.read<AuditRecord>({ ...list, name: `${prefix}${list.name}` }, conditions, query);
  }
}
