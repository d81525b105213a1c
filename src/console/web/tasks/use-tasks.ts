import { serviceTime } from '../data/connection.js';
import { useCalls } from '../data/organization.js';
import { usePages } from '../data/pages.js';
import type { Page, Task } from '../data/records.js';
import { instantHere, today } from '../format.js';
import { type Group, groupOf, GROUPS, withHeads } from './groups.js';

export const FILTERS = ['state', 'agent_id'] as const;

const PAGE = 50;
/** Those without a time are looked for among all open ones. */
const LOOK_AT = 200;
const EXPAND = 'agent,company,contact,sale';

export interface Asked {
  /** Null for all. */
  state: Group | null;
  agentId: string | null;
}

export const askedBy = (query: URLSearchParams): Asked => ({
  state: GROUPS.find((one) => one === query.get('state')) ?? null,
  agentId: query.get('agent_id'),
});

/** When the day of the organization begins, so many days from now. */
function dayBegins(days: number): string {
  const date = new Date(`${today()}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return instantHere(`${date.toISOString().slice(0, 10)}T00:00`);
}

/** Days, and not the present instant, since a cursor goes on with the same ones only. */
function boundsOf(state: Group | null): Record<string, string> {
  if (state === 'overdue') return { due_before: dayBegins(1) };
  if (state === 'today') return { due_after: dayBegins(0), due_before: dayBegins(1) };
  return state === 'later' ? { due_after: dayBegins(1) } : {};
}

/** The tasks in groups, what is due first first; those without a time and those done come after them, as one gets there. */
export function useTasks({ state, agentId }: Asked) {
  const calls = useCalls();
  const ask = (filters: Record<string, string | number | boolean | null>) =>
    calls.GET<Page<Task>>('/tasks', {
      params: { query: { agent_id: agentId, expand: EXPAND, limit: PAGE, ...filters } },
    });
  const idOf = ({ task_id }: Task) => task_id;
  const isAsked = (...groups: Group[]) => state === null || groups.includes(state);
  const of = agentId ?? '';
  const bounds = boundsOf(state);
  const dated = usePages<Task>(
    isAsked('overdue', 'today', 'later') ? `tasks dated ${of} ${JSON.stringify(bounds)}` : null,
    (cursor) => ask({ sort: 'due_at', ...bounds, cursor }),
    idOf,
  );
  const hasAllDated = state === 'undated' || isWhole(dated);
  const undated = usePages<Task>(
    isAsked('undated') && hasAllDated ? `tasks undated ${of}` : null,
    async (cursor) => {
      for (let next = cursor; ;) {
        const page = await ask({ open: true, limit: LOOK_AT, cursor: next });
        const data = page.data.filter(({ due_at }) => due_at === null);
        next = page.pagination.next_cursor;
        if (data.length > 0 || next === null) return { ...page, data };
      }
    },
    idOf,
  );
  const done = usePages<Task>(
    isAsked('done') && (state === 'done' || isWhole(undated)) ? `tasks done ${of}` : null,
    (cursor) => ask({ open: false, cursor }),
    idOf,
  );

  const lists = [dated, undated, done];
  const [now, tomorrow] = [new Date(serviceTime()).toISOString(), dayBegins(1)];
  const tasks = lists
    .flatMap(({ data }) => data?.rows ?? [])
    .map((task) => ({ task, group: groupOf(task, now, tomorrow) }))
    .filter(({ group }) => isAsked(group))
    .sort((one, other) => GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group));
  const unread = lists.find(({ data }) => data !== undefined && data.next !== null);
  const first = state === 'done' ? done : state === 'undated' ? undated : dated;
  return {
    entries: first.data && withHeads(tasks),
    error: lists.find(({ data, error }) => data === undefined && error !== undefined)?.error,
    hasMore: unread !== undefined,
    more: () => unread?.more(),
    /** Whether there is nothing more to come. */
    isWhole: lists.every((list, nr) => isWhole(list) || !isAsked(GROUPS_OF_LISTS[nr]!)),
  };
}

const GROUPS_OF_LISTS: Group[] = ['overdue', 'undated', 'done'];

const isWhole = ({ data }: { data?: { next: string | null } }): boolean => data?.next === null;
