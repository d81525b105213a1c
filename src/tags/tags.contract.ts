// What other contexts may use of tags.
export { askedTags, type AskedTags, ChangeTags, changeOf, requireTags } from './change-tags.js';
export { tag, type Tag, TAG_FIELDS } from './tag.js';
export { TagCarriers } from './tag-carriers.js';
export { ChangeTagsBody, RecordTagResponse } from './tags.dto.js';
export { shownTag, tagEvents, tagsChangedOf } from './tags.events.js';
export { tags } from './tags.projection.js';
export { hasTags, TagQueries, tagsOf } from './tags.queries.js';
