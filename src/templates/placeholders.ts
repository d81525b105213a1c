import Mustache from 'mustache';
import { UnknownNames } from '#kernel/known.js';
import { isBlank } from '#kernel/unseen.js';

/** What a template can hold the place of. Custom fields of contacts come besides, as `contact.custom_fields.<key>`. */
export const NAMES = [
  'contact.name',
  'contact.email',
  'company.name',
  'agent.name',
  'agent.email',
  'organization.name',
  'sale.total_price',
  'sale.currency',
] as const;

const OF_CUSTOM_FIELD = 'contact.custom_fields.';

/** The name of a contact's custom field. */
export const customName = (key: string): string => OF_CUSTOM_FIELD + key;

/** Most placeholders of a text: each may stand for a thousand characters. */
const MOST = 1_000;
/** Longer ones name nothing, and the parser's time grows with the square of white space. */
const LONGEST_TAG = 1_200;

/** What stands in a template: text, or a placeholder, `{{` and `}}` included. */
type Part = { text: string } | { tag: string };

/**
 * Splits a text at its placeholders, in time that grows with its length: Mustache's own parser reads the rest of the text anew at
 * every tag, and makes an object of every character. A tag that is not closed goes to the end.
 */
function* partsOf(text: string): Generator<Part> {
  let at = 0;
  for (;;) {
    const begin = text.indexOf('{{', at);
    if (begin === -1) break;
    if (begin > at) yield { text: text.slice(at, begin) };
    const closing = text.startsWith('{{{', begin) ? '}}}' : '}}';
    const end = text.indexOf(closing, begin + 2);
    at = end === -1 ? text.length : end + closing.length;
    yield { tag: text.slice(begin, at) };
  }
  if (at < text.length) yield { text: text.slice(at) };
}

/** The name in a tag, as Mustache reads it; null for any other tag: a section, a partial, a comment, what is unescaped or not closed. */
function nameIn(tag: string): string | null {
  if (tag.length > LONGEST_TAG) return null;
  try {
    // One for each: it keeps what it has read, for ever.
    const [[kind, name]] = new Mustache.Writer().parse(tag) as [[kind: string, name: string]];
    return kind === 'name' ? name : null;
  } catch {
    return null;
  }
}

/** What is wrong with the placeholders of a text, each once; `known` are the names that may stand there. */
export function problemsOf(text: string, known: ReadonlySet<string>): string[] {
  const unknown = new UnknownNames('is no known name');
  const problems = new Map<string, string>();
  let count = 0;
  for (const part of partsOf(text)) {
    if ('text' in part) continue;
    const { tag } = part;
    if (++count > MOST) return [`must not have more than ${MOST} placeholders`];
    if (!problems.has(tag) && !known.has(nameIn(tag) ?? ''))
      problems.set(tag, `${shown(tag)} ${refusalOf(tag) ?? unknown.detail(known)}`);
  }
  return [...problems.values()];
}

const shown = (tag: string): string => (tag.length > 100 ? `${tag.slice(0, 100).toWellFormed()}…` : tag);

/** Why a tag cannot be, whatever it names; null where it is an ordinary one. */
function refusalOf(tag: string): string | null {
  if (!tag.endsWith('}}')) return 'is not closed by }}';
  const [, sign] = /^\{\{\s*([#^/>{&=!])/.exec(tag) ?? [];
  return sign === undefined ? null : `is ${KINDS[sign]}: a template takes names alone`;
}

const KINDS: Record<string, string> = {
  '#': 'a section',
  '^': 'a section',
  '/': 'the end of a section',
  '>': 'a partial',
  '{': 'not escaped',
  '&': 'not escaped',
  '=': 'a change of delimiters',
  '!': 'a comment',
};

/** A text with its placeholders filled, and the names of those that have no value, in their order. */
export interface Filled {
  text: string;
  missing: string[];
}

/**
 * Fills the placeholders of a template that was found to be right, each value written by `write`. A value is never read as a template
 * itself; a blank one is none.
 */
export function filled(
  text: string,
  values: ReadonlyMap<string, string>,
  write: (value: string) => string,
): Filled {
  const missing: string[] = [];
  const written = Array.from(partsOf(text), (part) => {
    if ('text' in part) return part.text;
    const name = nameIn(part.tag) ?? part.tag;
    const value = values.get(name) ?? '';
    if (!isBlank(value)) return write(value);
    missing.push(name);
    return '';
  });
  return { text: written.join(''), missing };
}
