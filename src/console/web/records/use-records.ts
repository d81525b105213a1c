import { edit, type Seen, seenAs } from '../data/edit.js';
import { reasonOf } from '../data/notices.js';
import { useCalls } from '../data/organization.js';
import { usePages } from '../data/pages.js';
import type { CrmRecord, CustomField, Found, Page } from '../data/records.js';
import { endedBy } from '../data/session.js';
import { type Kept, patch, reloadAll, useKept } from '../data/store.js';
import { typed } from '../data/typed.js';
import { changed, customField, type Field, type Kind } from './kind.js';

const PAGE = 50;

/** The records that a list shows, a page at a time. */
export function useRecords<R extends CrmRecord>(
  { place, expand, idOf }: Kind<R>,
  filters: Record<string, string>,
) {
  const calls = useCalls();
  return usePages<R>(
    `records ${place} ${JSON.stringify(filters)}`,
    (cursor) =>
      calls.GET<Page<R>>(`/${place}`, { params: { query: { ...filters, expand, limit: PAGE, cursor } } }),
    idOf,
  );
}

/** Records in which the words are found. */
export function useFoundRecords<R extends CrmRecord>({ type }: Kind<R>, q: string) {
  const calls = useCalls();
  return usePages<Found>(
    `found ${type} ${q}`,
    (cursor) =>
      calls.GET<Page<Found>>('/search', {
        params: { query: { q: typed(q), types: type, limit: PAGE, cursor } },
      }),
    ({ id }) => id,
  );
}

/** Where records of a kind are found. */
export interface Source<R> {
  place: 'contacts' | 'companies' | 'sales' | 'tasks';
  idOf: (record: R) => string;
}

export const keyOfRecord = (id: string): string => `record ${id}`;

/** How a change went: the record afterwards, or as another has made it, or why it was refused. */
export type Outcome<R> = { done: Seen<R> } | { met: Seen<R> } | { refused: string };

export type Save<R> = (base: Seen<R>, body: object) => Promise<Outcome<R>>;

/** One record with its version, and what changes it. */
export function useRecord<R extends object>(
  { place }: Source<R>,
  id: string | null,
): Kept<Seen<R>> & { save: Save<R> } {
  const calls = useCalls();
  const key = id && keyOfRecord(id);
  const path = `/${place}/{id}`;
  const params = { path: { id: id ?? '' } };
  const read = () => calls.GET<R>(path, { params });
  const kept = useKept<Seen<R>>(key, () => read().then(seenAs));
  const save: Save<R> = async (base, body) => {
    const takeBack = patch<Seen<R>>(key!, (seen) => ({ ...seen, record: changed(seen.record, body) }));
    const write = (headers: Record<string, string>) => calls.PATCH<R>(path, { params, body, headers });
    try {
      const outcome = await edit<R>({ base, changes: body, read, write });
      patch<Seen<R>>(key!, () => ('done' in outcome ? outcome.done : outcome.met));
      void reloadAll('records ');
      return outcome;
    } catch (error) {
      takeBack();
      endedBy(error);
      return { refused: reasonOf(error) };
    }
  };
  return { ...kept, save };
}

/** The organization's own fields of such records. */
export function useCustomFields<R>({ place }: Source<R>): Field[] {
  const calls = useCalls();
  const load = () => calls.GET<Record<string, CustomField[]>>('/custom-fields');
  return useKept('custom fields', load).data?.[place]?.map(customField) ?? [];
}
