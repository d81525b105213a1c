import { roughSize } from '#kernel/size.js';
import { ROOM_OF_PAGE } from '../paging/page-size.js';
import type { Expansion } from './expandable.js';
import type { FoundRecords, RecordReaders } from './record-readers.js';

/** What a request asks for: the property to put it under, and the expansion. */
export type Wanted = [property: string, expansion: Expansion][];

/** What one of the wanted expansions found. */
interface Found {
  property: string;
  named: (record: object) => string | null | readonly string[];
  records: FoundRecords;
}

/** Bytes for what one record names: it may be hundreds of others, and there is no next page. */
const ROOM_OF_ONE = 8 * ROOM_OF_PAGE;

/**
 * The first of these records, as many as there is room for with what they name put into them: for each expansion as much as
 * for a page. One alone has more room. None where even that is too small for what the first one names.
 */
export async function expanded(
  readers: RecordReaders,
  organizationId: string,
  wanted: Wanted,
  records: readonly object[],
): Promise<object[]> {
  const room = records.length === 1 ? ROOM_OF_ONE : ROOM_OF_PAGE;
  const found = await Promise.all(
    wanted.map(async ([property, { kind, named }]): Promise<Found> => {
      const namedIn = named as Found['named'];
      const ids = [...new Set(records.flatMap((record) => namedIn(record) ?? []))];
      return {
        property,
        named: namedIn,
        records: await readers.read(kind, organizationId, ids, room),
      };
    }),
  );
  return whatFits(found, records, found.length * room);
}

function whatFits(found: readonly Found[], records: readonly object[], room: number): object[] {
  const sizes = new Map<object, number>();
  const sizeOf = (record: object): number => {
    const known = sizes.get(record) ?? roughSize(record);
    sizes.set(record, known);
    return known;
  };
  const shown: object[] = [];
  let left = room;
  for (const record of records) {
    const beside = besideOf(found, record);
    if (beside === null) break;
    for (const one of Object.values(beside).flat()) if (one !== null) left -= sizeOf(one);
    if (left < 0 && shown.length > 0) break;
    shown.push({ ...record, ...beside });
  }
  return shown;
}

/** What is put into a record, by property; null when not all of it was read. Of what is gone, nothing is put there. */
function besideOf(found: readonly Found[], record: object): Record<string, object | null | object[]> | null {
  const beside: Record<string, object | null | object[]> = {};
  for (const { property, named, records } of found) {
    const ids = named(record);
    const all = [ids ?? []].flat().map((id) => records.byId.get(id));
    const there = all.filter((one) => one !== undefined);
    if (!records.isWhole && there.length < all.length) return null;
    const instead = (record as typeof beside)[property] ?? null;
    beside[property] = Array.isArray(ids) ? there : (there[0] ?? instead);
  }
  return beside;
}
