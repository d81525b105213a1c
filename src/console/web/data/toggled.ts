import type { Tag } from './records.js';

/** Adds a tag, or takes it away where it is there: what is shown then, and what is asked for. */
export function toggled(tags: Tag[], tag: Tag): { next: Tag[]; body: object } {
  const { tag_id } = tag;
  if (tags.some((one) => one.tag_id === tag_id))
    return { next: tags.filter((one) => one.tag_id !== tag_id), body: { remove: [tag_id] } };
  return { next: [...tags, tag], body: { add: [tag_id] } };
}
