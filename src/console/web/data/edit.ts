import { etagOf, ParleyError } from '../../../../libs/client/client.js';

/** A record as it was seen, with its version. */
export interface Seen<T> {
  record: T;
  etag: string | undefined;
}

export const seenAs = <T extends object>(record: T): Seen<T> => ({ record, etag: etagOf(record) });

export interface Edit<T extends object> {
  /** What the person looked at. */
  base: Seen<T>;
  /** Of objects within, such as custom fields, only the keys that change. */
  changes: object;
  read: () => Promise<T>;
  write: (headers: Record<string, string>) => Promise<T>;
}

/**
 * Changes a record that is still as it was seen. What another changed meanwhile in other fields is no hindrance; where it was in the
 * same ones, nothing is written, and the record as it is now is given as `met`.
 */
export async function edit<T extends object>({
  base,
  changes,
  read,
  write,
}: Edit<T>): Promise<{ done: Seen<T> } | { met: Seen<T> }> {
  for (let { etag } = base; ;) {
    try {
      return { done: seenAs(await write(etag === undefined ? {} : { 'If-Match': etag })) };
    } catch (error) {
      if (!(error instanceof ParleyError) || error.status !== 412) throw error;
    }
    const now = seenAs(await read());
    if (hasMet(base.record, now.record, changes)) return { met: now };
    etag = now.etag;
  }
}

/** The same for a record as a list has shown it: a list tells no versions, so the record is read first. */
export async function editListed<T extends object>({
  listed,
  changes,
  read,
  write,
}: Omit<Edit<T>, 'base'> & { listed: object }): Promise<{ done: Seen<T> } | { met: Seen<T> }> {
  const base = seenAs(await read());
  if (hasMet(listed, base.record, changes)) return { met: base };
  return edit({ base, changes, read, write });
}

/** What of the body is not there yet. */
export const changesIn = <Body extends object>(record: object, body: Body): Partial<Body> =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !isSame((record as Record<string, unknown>)[name], value)),
  ) as Partial<Body>;

const hasMet = (before: object, now: object, changes: object): boolean =>
  Object.entries(changes).some(([name, value]: [string, unknown]) => {
    const [was, is] = [before, now].map((one) => (one as Record<string, unknown>)[name]);
    if (isObject(value)) return hasMet(isObject(was) ? was : {}, isObject(is) ? is : {}, value);
    return !isSame(was, is) && !isSame(is, value);
  });

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The API shows a text that is not there as empty or as null. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? '') === JSON.stringify(other ?? '');
