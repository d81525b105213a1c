import { allPages } from '../data/all-pages.js';
import { type Calls, useCalls } from '../data/organization.js';
import { attempt, notify } from '../data/notices.js';
import { usePages } from '../data/pages.js';
import type { Agent, Conversation, Page, Status, Tag } from '../data/records.js';
import type { Rows } from '../data/rows.js';
import { isOperator } from '../data/session.js';
import { toggled } from '../data/toggled.js';
import { patch, patchAll, reloadAll, useKept } from '../data/store.js';
import { moment } from '../format.js';
import { words } from '../words/words.js';

/** The filters of the list, by their names in the address and in the API alike. */
export const FILTERS = [
  'status',
  'is_read',
  'agent_id',
  'modality',
  'waiting',
  'has_draft',
  'tag_id',
  'folder',
  'contact_id',
  'company_id',
  'sort',
] as const;

const PAGE = 50;

/** What is not said in the address: the open ones. */
export function filtersOf(query: URLSearchParams): Record<string, string> {
  const given = FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name)!] as const] : []));
  const filters: Record<string, string> = { status: 'open', ...Object.fromEntries(given) };
  if (filters['status'] === 'all') delete filters['status'];
  return filters;
}

export function useConversations(filters: Record<string, string> | null) {
  const calls = useCalls();
  const key = filters && `list ${JSON.stringify(filters)}`;
  return usePages<Conversation>(
    key,
    (cursor) =>
      calls.GET<Page<Conversation>>('/conversations', {
        params: { query: { ...filters, expand: 'contact', limit: PAGE, cursor } },
      }),
    ({ conversation_id }) => conversation_id,
  );
}

export function useConversation(id: string | null) {
  const calls = useCalls();
  return useKept<Conversation>(id && `conversation ${id}`, () =>
    calls.GET<Conversation>('/conversations/{conversation_id}', {
      params: { path: { conversation_id: id! }, query: { expand: 'contact,agent' } },
    }),
  );
}

/** Operators see those of no organization. */
export function useAgents(): Agent[] {
  const calls = useCalls();
  const load = () => allPages((query) => calls.GET<Page<Agent>>('/agents', { params: { query } }));
  return useKept(isOperator() ? null : 'agents', load).data ?? [];
}

export function useTags(): Tag[] {
  const calls = useCalls();
  const load = () => allPages((query) => calls.GET<Page<Tag>>('/tags', { params: { query } }));
  return useKept('tags', load).data ?? [];
}

type Change = Partial<Pick<Conversation, 'is_read' | 'agent_id' | 'status' | 'snoozed_until' | 'tags'>>;

/** Shows a change of a conversation wherever it is on the page; gives what takes it back. */
function show(id: string, change: Change): () => void {
  const apply = <Row extends Conversation>(row: Row) =>
    row.conversation_id === id ? { ...row, ...change } : row;
  const undo = [
    patch<Conversation>(`conversation ${id}`, apply),
    patchAll<Rows<Conversation>>('list ', ({ rows, next }) => ({ rows: rows.map(apply), next })),
  ];
  return () => undo.forEach((takeBack) => takeBack());
}

/** Changes a conversation; shown at once, and taken back when it is refused. */
export async function change(calls: Calls, id: string, body: Change): Promise<boolean> {
  const params = { path: { conversation_id: id } };
  const isDone = await attempt(
    () => calls.PATCH('/conversations/{conversation_id}', { params, body }),
    show(id, body),
  );
  if (isDone) void reloadAll(`conversation ${id}`).then(() => reloadAll('list '));
  return isDone;
}

/** The same, said with a way back. */
export async function changeWithUndo(
  calls: Calls,
  of: Conversation,
  body: Change,
  said: string,
): Promise<void> {
  const { conversation_id: id } = of;
  const before = Object.fromEntries(
    Object.keys(body).map((name) => [name, of[name as keyof Change]]),
  ) as Change;
  if (!(await change(calls, id, body))) return;
  notify(said, { label: words.undo, run: () => void change(calls, id, before) });
}

/** The same for its status. */
export async function changeStatus(
  calls: Calls,
  { conversation_id: id, status, snoozed_until }: Conversation,
  next: Status,
  until?: Date,
): Promise<void> {
  const at = until?.toISOString();
  const body = at === undefined ? { status: next } : { status: next, snoozed_until: at };
  if (!(await change(calls, id, body))) return;
  const said = {
    open: words.acts.reopened,
    closed: words.acts.closed,
    snoozed: at === undefined ? '' : words.acts.snoozed(moment(at)),
  }[next];
  const back = status === 'snoozed' ? { status, snoozed_until } : { status };
  notify(said, { label: words.undo, run: () => void change(calls, id, back) });
}

/** Adds or removes one tag, and says so with a way back. */
export async function changeTag(calls: Calls, of: Conversation, tag: Tag): Promise<void> {
  const next = await toggleTag(calls, of, tag);
  if (!next) return;
  const isAdded = next.some(({ tag_id }) => tag_id === tag.tag_id);
  const said = isAdded ? words.acts.tagged(tag.name) : words.acts.untagged(tag.name);
  notify(said, { label: words.undo, run: () => void toggleTag(calls, { ...of, tags: next }, tag) });
}

/** Gives the tags that it has then; null where that is refused. */
async function toggleTag(
  calls: Calls,
  { conversation_id: id, tags }: Pick<Conversation, 'conversation_id' | 'tags'>,
  tag: Tag,
): Promise<Tag[] | null> {
  const { next, body } = toggled(tags, tag);
  const params = { path: { conversation_id: id } };
  const isDone = await attempt(
    () => calls.POST('/conversations/{conversation_id}/tags', { params, body }),
    show(id, { tags: next }),
  );
  if (isDone) void reloadAll(`conversation ${id}`);
  return isDone ? next : null;
}
