// What other contexts may use of drafts.
export { documentedFields as responseDraftFields, responseDraft } from './response-draft.js';
