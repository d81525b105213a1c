import { useCalls } from '../data/organization.js';
import { isOperator } from '../data/session.js';
import { useKept } from '../data/store.js';
import { KINDS, nameAmong } from './records.js';

/** What a record is called now; undefined for one that is gone or has no name. */
export function useRecordName(type: string, id: string | null): string | undefined {
  const calls = useCalls();
  const route = KINDS[type]?.route;
  const isAsked = route !== undefined && id !== null && !isOperator();
  const { data } = useKept(isAsked ? `name of ${id}` : null, () =>
    calls
      .GET<Record<string, unknown>>(`/${route!}/{id}`, { params: { path: { id: id! } } })
      .catch(() => ({})),
  );
  return data && nameAmong(type, data);
}
