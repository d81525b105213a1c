import {
  MOST_TAGS,
  type RecordTag,
  taggedWith,
  tagsChange,
  unitedTags,
  UNTAGGED,
  withTagsChanged,
} from './tags.js';

const tag = (name: string, tag_id = `tag_${name}`): RecordTag => ({ tag_id, name, colour: null });
const named = (...names: string[]): RecordTag[] => names.map((name) => tag(name));
const namesOf = (tags: readonly RecordTag[]): string[] => tags.map(({ name }) => name);
const [a, b, c] = named('a', 'b', 'c') as [RecordTag, RecordTag, RecordTag];

it.each([
  { rule: 'gives what is not there', had: [a], add: [b], remove: [], added: ['b'], removed: [] },
  { rule: 'takes away what is there', had: [a, b], add: [], remove: [b], added: [], removed: ['b'] },
  { rule: 'does both at once', had: [a], add: [b, c], remove: [a], added: ['b', 'c'], removed: ['a'] },
  { rule: 'leaves out what is there already', had: [a], add: [a, b], remove: [], added: ['b'], removed: [] },
  { rule: 'leaves out what is not there', had: [a], add: [], remove: [a, b], added: [], removed: ['a'] },
])('a change of tags $rule', ({ had, add, remove, added, removed }) => {
  const change = tagsChange(had, { add, remove: remove.map(({ tag_id }) => tag_id) })!;
  expect([namesOf(change.added), namesOf(change.removed)]).toEqual([added, removed]);
});

it('is none where everything is as it was', () => {
  expect(tagsChange([a], { add: [a], remove: [b.tag_id] })).toBeNull();
  expect(tagsChange([], { add: [], remove: [] })).toBeNull();
});

it('tags are in the order of their names, in any case, with accents or without', () => {
  const change = { added: named('zebra', 'Äpfel', 'beta', 'Alpha'), removed: [] };
  const { tags, tag_ids } = withTagsChanged(UNTAGGED, change);
  expect(namesOf(tags)).toEqual(['Alpha', 'Äpfel', 'beta', 'zebra']);
  expect(tag_ids!.toSorted()).toEqual(tags.map(({ tag_id }) => tag_id).toSorted());
});

it('of the same name they are in the order of their ids', () => {
  const { tags } = taggedWith([tag('x', 'tag_2'), tag('x', 'tag_1')]);
  expect(tags.map(({ tag_id }) => tag_id)).toEqual(['tag_1', 'tag_2']);
});

it('a renamed tag takes its new place; one that the record has not is not given to it', () => {
  const changed = [tag('z', 'tag_a'), tag('y', 'tag_other')];
  const after = withTagsChanged(taggedWith([a, b]), { added: [], removed: [], changed });
  expect(namesOf(after.tags)).toEqual(['b', 'z']);
});

it('a record that loses its last tag has none, as one that never had any', () => {
  expect(withTagsChanged(taggedWith([a]), { added: [], removed: [a] })).toEqual(UNTAGGED);
});

it('of two records that become one, tags are united, each once', () => {
  expect(namesOf(unitedTags([b], [a, b, c]))).toEqual(['a', 'b', 'c']);
});

it(`where they are more than ${MOST_TAGS} together, the own ones stay, and of the others the first by name that fit`, () => {
  const own = named(...Array.from({ length: MOST_TAGS - 2 }, (_, nr) => `own ${nr}`));
  const united = namesOf(unitedTags(own, named('c', 'a', 'b')));
  expect(united).toHaveLength(MOST_TAGS);
  expect(united).toEqual(expect.arrayContaining([...namesOf(own), 'a', 'b']));
});
