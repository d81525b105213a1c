// What other contexts need to be found.
export type { SearchDocument, SearchField } from './search-document.js';
export { type Documents, recordsOf, type SearchSource } from './search-source.js';
