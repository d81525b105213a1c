import { ROOM_OF_PAGE } from '../paging/page-size.js';
import { expanded } from './expanded.js';
import { type FoundRecords, RecordReaders } from './record-readers.js';

interface Note {
  note_id: string;
  book_id: string | null;
  word_ids: string[];
}

const NOTES: Record<string, { kind: string; named: (note: Note) => string | null | string[] }> = {
  book: { kind: 'book', named: ({ book_id }) => book_id },
  words: { kind: 'word', named: ({ word_ids }) => word_ids },
};
const note = (nr: number, book_id: string | null, ...word_ids: string[]): Note => ({
  note_id: `note_${nr}`,
  book_id,
  word_ids,
});

let asked: [organizationId: string, ids: string[]][];
beforeEach(() => (asked = []));

/** Readers that find these records, none for an id that is not there. */
function readersOf(texts: Record<string, string>, isWhole = true): RecordReaders {
  const readers = new RecordReaders();
  const read = (organizationId: string, ids: string[]): Promise<FoundRecords> => {
    asked.push([organizationId, ids]);
    const found = ids
      .filter((id) => id in texts)
      .map((id): [string, object] => [id, { id, text: texts[id] }]);
    return Promise.resolve({ byId: new Map(found), isWhole });
  };
  for (const kind of ['book', 'word']) readers.add(kind, read);
  return readers;
}

const expand = (readers: RecordReaders, names: string[], records: object[]) =>
  expanded(
    readers,
    'org_a',
    names.map((name) => [name, NOTES[name]!]),
    records,
  );

it('puts what records name beside their ids: null for null, several in their order', async () => {
  const readers = readersOf({ a: 'A', x: 'X', y: 'Y' });
  const shown = await expand(readers, ['book', 'words'], [note(1, 'a', 'y', 'x'), note(2, null)]);
  expect(shown).toEqual([
    {
      ...note(1, 'a', 'y', 'x'),
      book: { id: 'a', text: 'A' },
      words: [
        { id: 'y', text: 'Y' },
        { id: 'x', text: 'X' },
      ],
    },
    { ...note(2, null), book: null, words: [] },
  ]);
});

it('reads each kind once, each id once, for the organization', async () => {
  await expand(readersOf({}), ['book', 'words'], [note(1, 'a', 'x'), note(2, 'a', 'x', 'y'), note(3, 'b')]);
  expect(asked).toEqual([
    ['org_a', ['a', 'b']],
    ['org_a', ['x', 'y']],
  ]);
});

it('reads nothing where nothing is named', async () => {
  expect(await expand(readersOf({}), ['book'], [note(1, null)])).toEqual([{ ...note(1, null), book: null }]);
  expect(asked).toEqual([]);
});

it('shows a record that is gone as null, and not among several', async () => {
  const [shown] = await expand(readersOf({ x: 'X' }), ['book', 'words'], [note(1, 'a', 'y', 'x')]);
  expect(shown).toMatchObject({ book: null, words: [{ id: 'x' }] });
});

it('ends where there is no room for the next, but gives the first in any case', async () => {
  const text = 'x'.repeat(ROOM_OF_PAGE * 0.6);
  const records = [note(1, 'a'), note(2, 'a'), note(3, null)];
  expect(await expand(readersOf({ a: text }), ['book'], records)).toHaveLength(1);
  const larger = readersOf({ a: 'x'.repeat(ROOM_OF_PAGE * 9) });
  expect(await expand(larger, ['book'], records.slice(0, 1))).toHaveLength(1);
});

it('ends before a record of which not all was read', async () => {
  const readers = readersOf({ a: 'A', x: 'X' }, false);
  const shown = await expand(
    readers,
    ['book', 'words'],
    [note(1, 'a'), note(2, null, 'x', 'y'), note(3, 'a')],
  );
  expect(shown).toMatchObject([{ note_id: 'note_1' }]);
});
