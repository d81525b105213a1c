import { words } from '../words/words.js';

/** What people call a field of the API. */
export const fieldName = (field: string): string => words.field[field] ?? field.replaceAll('_', ' ');
