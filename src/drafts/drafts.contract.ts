// What other contexts may use of drafts.
export { documentedFields as draftFields } from './documented-fields.js';
export { draft, type Draft } from './draft.js';
export { oneLine } from './content/plain-text.js';
export { requestedNotice } from './notices/notices.projection.js';
export { type NoticeText, NoticeTexts } from './notices/notice-texts.js';
