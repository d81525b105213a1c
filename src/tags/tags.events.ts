import { inOrder } from '#kernel/in-order.js';
import type { RecordTag, TagsChange } from '#kernel/tags.js';
import { type PublicForm, type PublicForms, shownAs } from '#event-store/public-event.js';
import { TAG_FIELDS, type TagEvent } from './tag.js';
import { TagChangedData, TagCreatedData, TagDeletedData, TagsChangedData } from './tags.events.dto.js';

export const tagEvents: PublicForms<TagEvent> = {
  TagCreated: shownAs(TagCreatedData, 'A tag was created.', (tag) => inOrder(tag, TAG_FIELDS)),
  TagChanged: shownAs(TagChangedData, 'A tag has another name or colour.', (changed) =>
    inOrder(changed, ['name', 'colour']),
  ),
  TagDeleted: shownAs(TagDeletedData, 'A tag was deleted.', () => ({})),
};

/** The public form of the event by which tags of such a record change. */
export const tagsChangedOf = (record: string): PublicForm<TagsChange> =>
  shownAs(
    TagsChangedData,
    `Tags were given to a ${record} or taken away from it, or are called otherwise.`,
    ({ added, removed, changed = [] }) => ({
      added: added.map(shownTag),
      removed: removed.map(shownTag),
      changed: changed.map(shownTag),
    }),
  );

/** A record's tag in the contract's order of fields: a stored event does not keep it. */
export const shownTag = ({ tag_id, name, colour }: RecordTag): RecordTag => ({ tag_id, name, colour });
