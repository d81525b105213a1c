import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBS = import.meta.dirname;
/** What this product is called and is about. Imports cannot tell that a lib knows of it; its words can. */
const PRODUCT = /\b\w*(?:parley|contacts?|conversations?|sales?|drafts?)\w*\b/gi;
/** Words that hold one of these and mean something else. */
const OTHERS = new Set(['wholesale']);

/** The client of this product's API: other programs use it, and nothing here does. */
const CLIENT = /^client\//;

const sources = readdirSync(LIBS, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !CLIENT.test(file),
);

it.each(sources)('%s knows no word of the product', (file) => {
  const words = readFileSync(join(LIBS, file), 'utf8').match(PRODUCT) ?? [];
  expect(words.filter((word) => !OTHERS.has(word.toLowerCase()))).toEqual([]);
});
