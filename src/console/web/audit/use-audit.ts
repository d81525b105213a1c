import { type Calls, useCalls } from '../data/organization.js';
import { usePages } from '../data/pages.js';
import type { AuditRecord, Page } from '../data/records.js';
import { api, isOperator } from '../data/session.js';
import { type Kept, useKept } from '../data/store.js';

/** The filters of the list: by their names in the address, those of the API. */
const FILTERS = {
  agent_id: 'agent_id',
  record_type: 'record_type',
  record: 'record_id',
  action_type: 'action_type',
  actor_type: 'actor_type',
  field: 'field',
  key_id: 'key_id',
  request_id: 'request_id',
  start_date: 'start_date',
  end_date: 'end_date',
} as const;

export type FilterName = keyof typeof FILTERS;
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/** What the API is asked for: records of every kind, where the address names none; of all organizations, where operators name none. */
export function filtersOf(query: URLSearchParams): Record<string, string> {
  const given = FILTER_NAMES.flatMap((name) => {
    const value = query.get(name);
    return value ? [[FILTERS[name], value] as const] : [];
  });
  const organization = isOperator() ? query.get('org') : null;
  return {
    record_type: 'all',
    ...Object.fromEntries(given),
    ...(organization && { organization_id: organization }),
  };
}

/** The log and where it lies: that of the organization; for operators, that of all. */
export function useLog(): { calls: Calls; path: string } {
  const calls = useCalls();
  return isOperator() ? { calls: api(), path: '/admin/v1/audit-logs' } : { calls, path: '/audit-logs' };
}

const PAGE = 50;

export function useAudit(filters: Record<string, string>) {
  const { calls, path } = useLog();
  return usePages<AuditRecord>(
    `audit ${JSON.stringify(filters)}`,
    (cursor) =>
      calls.GET<Page<AuditRecord>>(path, { params: { query: { ...filters, limit: PAGE, cursor } } }),
    ({ audit_log_id }) => audit_log_id,
  );
}

/** One record; as it is `listed` until it has come. */
export function useAuditRecord(id: string, listed: AuditRecord | undefined): Kept<AuditRecord> {
  const { calls, path } = useLog();
  const kept = useKept<AuditRecord>(`audited ${id}`, () =>
    calls.GET<AuditRecord>(`${path}/{id}`, { params: { path: { id } } }),
  );
  const data = kept.data ?? listed;
  return data ? { ...kept, data } : kept;
}
