// What other contexts may use of drafts.
export { DRAFT_DEFAULTS, documentedFields as draftFields } from './documented-fields.js';
export { draft, type Draft, type DraftCommand } from './draft.js';
export { drafts } from './drafts.projection.js';
export { oneLine } from './content/plain-text.js';
export { requestedNotice } from './notices/notices.projection.js';
export { type NoticeText, NoticeTexts } from './notices/notice-texts.js';
