import { MOST_TAGS, type RecordTag } from '#kernel/tags.js';
import { changeOf, requireTags } from './change-tags.js';

const tag = (nr: number): RecordTag => ({ tag_id: `tag_${nr}`, name: `Tag ${nr}`, colour: null });
const tags = (count: number): RecordTag[] => Array.from({ length: count }, (_, nr) => tag(nr));
const idsOf = (some: RecordTag[]): string[] => some.map(({ tag_id }) => tag_id);
const none: string[] = [];

const fieldsOf = (act: () => unknown): string[] => {
  try {
    act();
    return [];
  } catch (error) {
    const { extras } = error as { extras: { errors: { field: string }[] } };
    return extras.errors.map(({ field }) => field);
  }
};

it.each([
  { add: ['tag_1', 'tag_9'], remove: none, fields: ['add'] },
  { add: none, remove: ['tag_9'], fields: ['remove'] },
  { add: ['tag_8'], remove: ['tag_9'], fields: ['add', 'remove'] },
])('an unknown tag is refused, naming $fields', ({ add, remove, fields }) =>
  expect(fieldsOf(() => requireTags({ add, remove }, tags(3)))).toEqual(fields),
);

it('a tag in both lists is refused, naming both', () => {
  const act = () => requireTags({ add: ['tag_1'], remove: ['tag_1'] }, tags(3));
  expect(fieldsOf(act)).toEqual(['add', 'remove']);
});

it.each([
  { had: MOST_TAGS - 1, add: [MOST_TAGS], remove: [], fits: true },
  { had: MOST_TAGS, add: [MOST_TAGS], remove: [], fits: false },
  { had: MOST_TAGS, add: [MOST_TAGS], remove: [0], fits: true },
  { had: MOST_TAGS, add: [0], remove: [], fits: true },
])(`of $had tags, $add.length more and $remove.length less fit: $fits`, ({ had, add, remove, fits }) => {
  const asked = { add: idsOf(add.map(tag)), remove: idsOf(remove.map(tag)) };
  const act = () => changeOf(tags(had), asked, tags(MOST_TAGS + 1));
  if (fits) expect(act).not.toThrow();
  else expect(act).toThrow(`at most ${MOST_TAGS} tags`);
});
