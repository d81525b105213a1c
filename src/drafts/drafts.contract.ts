// What other contexts may use of drafts.
export { documentedFields as draftFields, draft, type Draft } from './draft.js';
