import { useEffect, useRef, useState } from 'preact/hooks';
import type { ParleyError } from '../data/api.js';
import { useCalls } from '../data/organization.js';
import { usePages } from '../data/pages.js';
import type { Found, Page } from '../data/records.js';
import { reloadAll } from '../data/store.js';
import { typed } from '../data/typed.js';

const PAGE = 50;
/** What stands in a conversation, or may. */
const TYPES = 'conversation,message,draft,comment';

/** Conversations in which the words are found, each once. A page may name none that is new: then the next one is read. */
export function useFound(q: string) {
  const calls = useCalls();
  const pages = usePages<Found>(
    `found conversation ${q}`,
    (cursor) =>
      calls.GET<Page<Found>>('/search', {
        params: { query: { q: typed(q), types: TYPES, limit: PAGE, cursor } },
      }),
    ({ id }) => id,
  );
  const ids = new Set<string>();
  const rows = pages.data?.rows.filter(({ conversation_id }) => {
    if (conversation_id === null || ids.has(conversation_id)) return false;
    ids.add(conversation_id);
    return true;
  });
  const next = pages.data?.next ?? null;
  const before = useRef({ q, count: 0 });
  const [failed, setFailed] = useState<{ q: string; error: ParleyError }>();
  const readOn = () => void pages.more().then((error) => setFailed(error && { q, error }));
  useEffect(() => {
    if (before.current.q !== q) before.current = { q, count: 0 };
    if (!rows) return;
    if (next !== null && rows.length <= before.current.count) readOn();
    before.current.count = rows.length;
  }, [q, next, rows === undefined]);
  return {
    ...pages,
    rows,
    error: pages.error ?? (failed?.q === q ? failed.error : undefined),
    again: rows ? readOn : () => void reloadAll('found '),
  };
}
