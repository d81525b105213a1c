import { folded } from './folded.js';

/** An index entry has room for so many characters. */
const LONGEST = 200;

/** By which a name is found and ordered: folded, its first 200 characters. */
export const nameKey = (name: string): string => Array.from(folded(name)).slice(0, LONGEST).join('');
