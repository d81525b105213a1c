import { folded } from './folded.js';

/** A tag of a record, as the record has last heard of it. */
export interface RecordTag {
  tag_id: string;
  name: string;
  /** As `#rrggbb`. */
  colour: string | null;
}

/** What the state of a record keeps of its tags. */
export interface Tagged {
  /** In the order of their names. */
  tags: RecordTag[];
  /** Their ids; null without any, so that an index leaves the record out. */
  tag_ids: string[] | null;
}

/** What becomes of a record's tags: some are given to it, some taken away, some are called otherwise. */
export interface TagsChange {
  added: RecordTag[];
  removed: RecordTag[];
  /** Left out where none is. */
  changed?: RecordTag[];
}

/** Tags that a record has at most. */
export const MOST_TAGS = 50;

export const UNTAGGED: Tagged = { tags: [], tag_ids: null };

/** The tags as a state keeps them. */
export const taggedWith = (tags: RecordTag[]): Tagged =>
  tags.length === 0 ? UNTAGGED : { tags: byName(tags), tag_ids: tags.map(({ tag_id }) => tag_id) };

/** What these tags and no others make different; null where nothing. */
export function tagsChange(
  tags: readonly RecordTag[],
  { add, remove }: { add: readonly RecordTag[]; remove: readonly string[] },
): TagsChange | null {
  const known = new Set(tags.map(({ tag_id }) => tag_id));
  const gone = new Set(remove);
  const added = add.filter(({ tag_id }) => !known.has(tag_id));
  const removed = tags.filter(({ tag_id }) => gone.has(tag_id));
  return added.length + removed.length > 0 ? { added, removed } : null;
}

/** The tags after a change. */
export function withTagsChanged({ tags }: Tagged, { added, removed, changed = [] }: TagsChange): Tagged {
  const gone = new Set(removed.map(({ tag_id }) => tag_id));
  const latest = new Map(changed.map((one) => [one.tag_id, one]));
  const kept = tags.filter(({ tag_id }) => !gone.has(tag_id)).map((one) => latest.get(one.tag_id) ?? one);
  return taggedWith([...kept, ...added]);
}

/** The tags of two records that become one: of the other's, in the order of their names, as many as there is room for. */
export function unitedTags(own: readonly RecordTag[], other: readonly RecordTag[]): RecordTag[] {
  const known = new Set(own.map(({ tag_id }) => tag_id));
  const lacking = byName(other.filter(({ tag_id }) => !known.has(tag_id)));
  return byName([...own, ...lacking.slice(0, Math.max(0, MOST_TAGS - own.length))]);
}

const byName = (tags: readonly RecordTag[]): RecordTag[] =>
  tags
    .map((tag) => ({ tag, key: `${orderKey(tag.name)}\0${tag.tag_id}` }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ tag }) => tag);

/** An index entry has room for so many characters. */
const LONGEST = 200;

/** By which names are in order: in any case, with accents or without, the first 200 characters. */
export const orderKey = (name: string): string => Array.from(folded(name)).slice(0, LONGEST).join('');
