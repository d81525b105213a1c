import { useEffect } from 'preact/hooks';
import { useCalls } from '../data/organization.js';
import { usePages } from '../data/pages.js';
import type { Page, Sale, Stage } from '../data/records.js';
import { reloadAll, useKept } from '../data/store.js';
import { serviceTime } from '../data/connection.js';
import { today } from '../format.js';
import { type Closing, CLOSINGS, daysOf } from './closing.js';
import { type Amount, type Sum, sumOf } from './sums.js';

/** Filters of the address that the API has by the same names. */
const SAME = ['owner_id', 'tag_id', 'company_id', 'contact_id', 'sort'] as const;
export const FILTERS = [...SAME, 'closing'] as const;
export const SORTS = ['', '-value', '-created_at'] as const;

const PAGE = 50;

/** What the lists of the stages are asked for. */
export function filtersOf(query: URLSearchParams): Record<string, string> {
  const given = SAME.flatMap((name) => (query.get(name) ? [[name, query.get(name)!] as const] : []));
  const closing = CLOSINGS.find((one) => one === query.get('closing'));
  return { ...Object.fromEntries(given), ...(closing && daysOf(closing satisfies Closing, today())) };
}

export function useStages() {
  const calls = useCalls();
  const { data, error } = useKept('stages', () => calls.GET<{ data: Stage[] }>('/sale-statuses'));
  return { stages: data?.data, error };
}

export interface Column {
  stage: Stage;
  rows: Sale[] | undefined;
  error: ReturnType<typeof usePages<Sale>>['error'];
  hasMore: boolean;
  more: () => void;
  sum: Sum | null;
}

export const keyOfStage = (stageId: string): string => `sales ${stageId} `;

/** The board's columns. Stages stay the same as long as the board is there. */
export function useColumns(stages: Stage[], filters: Record<string, string>): Column[] {
  const calls = useCalls();
  const lists = stages.map(({ status_id }) =>
    usePages<Sale>(
      keyOfStage(status_id) + JSON.stringify(filters),
      (cursor) =>
        calls.GET<Page<Sale>>('/sales', {
          params: { query: { ...filters, status_id, expand: 'company,owner', limit: PAGE, cursor } },
        }),
      ({ sale_id }) => sale_id,
    ),
  );
  const rows = once(lists.map(({ data }) => data?.rows));
  const sums = useSums(
    filters,
    lists.some(({ data }) => data !== undefined && data.next !== null),
    newestOf(rows),
  );
  return lists.map(({ data, error, more }, nr) => {
    const hasMore = data !== undefined && data.next !== null;
    const shown = rows[nr];
    const sum = (hasMore && sums?.[nr]) || (shown ? sumOf(shown, hasMore) : null);
    return { stage: stages[nr]!, rows: shown, error, hasMore, more, sum };
  });
}

/** Each sale once: where two columns have it, one was read before it moved. */
function once(columns: (Sale[] | undefined)[]): (Sale[] | undefined)[] {
  const latest = new Map<string, Sale>();
  for (const sale of columns.flatMap((rows) => rows ?? [])) {
    const other = latest.get(sale.sale_id);
    if (!other || other.last_activity_at < sale.last_activity_at) latest.set(sale.sale_id, sale);
  }
  return columns.map((rows) => rows?.filter((sale) => latest.get(sale.sale_id) === sale));
}

const newestOf = (columns: (Sale[] | undefined)[]): string =>
  columns
    .flatMap((rows) => rows?.[0]?.last_activity_at ?? [])
    .sort()
    .at(-1) ?? '';

interface Figures {
  pipeline: {
    volume: number;
    /** For each currency, where there are quotes. */
    values?: { currency: string; value: string }[];
  }[];
  as_of: string;
}

/** How far the figures must have come to know of what is shown. */
let mustKnow = '';
const TRIES = 8;
const PAUSE_MS = 400;

/** The figures of columns that are too long to be read whole; the API has them of all sales, or of one owner's. */
function useSums(filters: Record<string, string>, isNeeded: boolean, newest: string): Sum[] | undefined {
  const calls = useCalls();
  const { owner_id, sort: _, ...others } = filters;
  const key = isNeeded && Object.keys(others).length === 0 ? `sums ${owner_id ?? ''}` : null;
  if (newest > mustKnow) mustKnow = newest;
  const { data } = useKept(key, async () => {
    const path = owner_id === undefined ? '/analytics/sales' : `/agents/${owner_id}/analytics/sales`;
    for (let tries = 1; ; tries++) {
      // A window to come: what is in a stage then is in it now.
      const [start_date, end_date] = [1, 2].map((minutes) =>
        new Date(serviceTime() + minutes * 60_000).toISOString(),
      ) as [string, string];
      const { pipeline, as_of } = await calls.GET<Figures>(path, {
        params: { query: { start_date, end_date, by_currency: true } },
      });
      if (as_of >= mustKnow || tries === TRIES) return pipeline.map(figureOf);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  });
  useEffect(() => {
    if (key !== null) void reloadAll(key);
  }, [newest]);
  return data;
}

function figureOf({ volume, values = [] }: Figures['pipeline'][number]): Sum {
  const amounts = values.map(({ currency, value }): Amount => [currency, value]).sort();
  return { count: volume, amounts, isPart: false };
}
