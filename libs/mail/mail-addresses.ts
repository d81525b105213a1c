/** No sender needs more; longer headers are left as they are. */
const LONGEST = 5_000;

const ATOM = '[^\\s<>()[\\]{}@,;:"]+';
const PLAIN = `${ATOM}@${ATOM}`;

/** Removes comments and white space inside <>, and escaped brackets, which blur where a comment ends. */
export function tidyAddresses(line: string): string {
  return line
    .replace(/"[^"]*"|\\[()]/g, (found) => (found.startsWith('"') ? found : ''))
    .replace(/<[^<>]*>/g, (angled) => (angled.includes('@') ? tidyAngled(angled) : angled));
}

/** Removes the route of servers, which readers must ignore (RFC 5322, 4.4). */
function tidyAngled(address: string): string {
  return withoutSpace(address).replace(/^<@[^:]*:/, '<');
}

/**
 * Leaves quoted text as it is. Open quotes reach to the end, or a search would start again at each of them. White space between
 * two words stays: together they would be an address that nobody wrote.
 */
function withoutSpace(address: string): string {
  return address.replace(SPACE, (found, offset: number) => {
    if (found.startsWith('"')) return found;
    const isBetweenWords = /[^<>@.,:][^<>@.,:]/.test(
      (address[offset - 1] ?? '.') + (address[offset + found.length] ?? '.'),
    );
    return isBetweenWords ? ' ' : '';
  });
}

const SPACE = /"(?:[^"\\]|\\[^])*"?|(?:\([^()]*\)|[ \t\r\n])+/g;

/**
 * The addresses of a header with what programs get wrong put right, as far as a person can read them: brackets, quotes and
 * parentheses that are missing or too many, `mailto:` before an address. Nothing is added but brackets and commas.
 */
export function mendSender(value: string): string {
  if (value.length > LONGEST) return value;
  const spaced = value
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/[\u00a0\u2000-\u200a\u3000]/g, ' ');
  return apart(inAngles(balanced(withoutFrills(withAngles(spaced)))));
}

/** Other characters that stand for angle brackets, if there are none. */
function withAngles(value: string): string {
  if (/[<>]/.test(value)) return value;
  return value
    .replace(/&lt;|[＜‹]/gi, '<')
    .replace(/&gt;|[＞›]/gi, '>')
    .replace(/&quot;/gi, '"');
}

const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const PREFIX = new RegExp(`${QUOTED}|(?<![^\\s<[])(?:mailto|smtp):(?=${ATOM}@)`, 'gi');
const BRACKETED = new RegExp(`${QUOTED}|(?<![^\\s">])[[{]\\s*(${PLAIN})\\s*[\\]}]`, 'g');
const APOSTROPHES = new RegExp(`${QUOTED}|(?<![^\\s<])'(${PLAIN})'(?![^\\s>])`, 'g');
const QUOTED_ADDRESS = new RegExp(`<\\s*"(${PLAIN})"\\s*>`, 'g');

/** Without `mailto:`, with <> for other brackets around an address, and without quotes directly around one. */
function withoutFrills(value: string): string {
  const unprefixed = value.replace(PREFIX, (found) => (found.startsWith('"') ? found : ''));
  return unprefixed
    .replace(QUOTED_ADDRESS, '<$1>')
    .replace(BRACKETED, (found, address?: string) => (address ? `<${address}>` : found))
    .replace(APOSTROPHES, (found, address?: string) => address ?? found)
    .replace(/[;,]\s?>/g, '>');
}

const STRINGS = new RegExp(QUOTED, 'g');
const COMMENT = /\([^()]*\)/g;

/** Without quotes and parentheses that are not closed, or that hold the only address. */
function balanced(value: string): string {
  const isWhole = !value.replace(STRINGS, '').includes('"') && value.replace(STRINGS, '').includes('@');
  const unquoted = isWhole ? value : value.replace(/\\?"/g, value.includes('@') ? '' : '"');
  const open = unquoted.replace(STRINGS, '').replace(COMMENT, '');
  if (/[()]/.test(open)) return unquoted.replace(/[()]/g, ' ');
  return open.includes('@') ? unquoted : unquoted.replace(COMMENT, (comment) => `<${comment.slice(1, -1)}>`);
}

const ANGLES = new RegExp(`${QUOTED}|<+([^<>]*)(>*)|>+`, 'g');

/** With <> around addresses only: brackets around other words go, and one that is missing is added. */
function inAngles(value: string): string {
  return value.replace(ANGLES, (found, inner: string | undefined, close: string | undefined) => {
    if (found.startsWith('"')) return found;
    if (inner === undefined) return ' ';
    if (inner.trim() === '') return found;
    if (!inner.includes('@')) return ` ${inner.replace(/[:;]/g, ' ')} `;
    if (inner.includes('://')) return ' ';
    return close ? angled(inner) : `<${inner}`;
  });
}

const THEN_WORDS = new RegExp(`^\\s*(${PLAIN})\\s`);

/** Of several words the address, if it is the first: "ann low@buyer.example" is none that a person can tell. */
function angled(inner: string): string {
  if (!/\S\s+\S/.test(inner.replace(STRINGS, '')) || inner.includes(':')) return `<${inner}>`;
  const [, address] = THEN_WORDS.exec(inner) ?? [];
  return address ? `<${address}>` : '';
}

const AFTER_ADDRESS = new RegExp(`${QUOTED}|<[^<>@]*@[^<>]*>(?=[^,;<>"]*<[^<>@]*@)`, 'g');
const BARE = new RegExp(`^\\s*${PLAIN}(?:\\s+${PLAIN})+\\s*$`);

/** With commas between addresses. */
function apart(value: string): string {
  const parted = value.replace(AFTER_ADDRESS, (found) => (found.startsWith('"') ? found : `${found},`));
  return BARE.test(parted) ? parted.trim().replace(/\s+/g, ', ') : parted;
}
