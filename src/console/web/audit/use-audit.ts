import { useCalls } from '../data/organization.js';
import { usePages } from '../data/pages.js';
import type { AuditRecord, Page } from '../data/records.js';
import { useKept } from '../data/store.js';

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

/** What the API is asked for: records of every kind, where the address names none. */
export const filtersOf = (query: URLSearchParams): Record<string, string> => ({
  record_type: 'all',
  ...Object.fromEntries(
    FILTER_NAMES.flatMap((name) => (query.get(name) ? [[FILTERS[name], query.get(name)!] as const] : [])),
  ),
});

const PAGE = 50;

export function useAudit(filters: Record<string, string>) {
  const calls = useCalls();
  return usePages<AuditRecord>(
    `audit ${JSON.stringify(filters)}`,
    (cursor) =>
      calls.GET<Page<AuditRecord>>('/audit-logs', {
        params: { query: { ...filters, limit: PAGE, cursor } },
      }),
    ({ audit_log_id }) => audit_log_id,
  );
}

export function useAuditRecord(id: string | null) {
  const calls = useCalls();
  return useKept<AuditRecord>(id && `audited ${id}`, () =>
    calls.GET<AuditRecord>('/audit-logs/{id}', { params: { path: { id: id! } } }),
  );
}
