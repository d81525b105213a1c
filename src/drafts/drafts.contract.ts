// What other contexts may use of drafts.
export { documentedFields as draftFields } from './documented-fields.js';
export { draft, type Draft } from './draft.js';
