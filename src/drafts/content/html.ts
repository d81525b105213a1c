import { compile, type DomNode, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import sanitize from 'sanitize-html';
import { RuleViolation } from '#kernel/decider.js';
import { UNSEEN } from '#kernel/unseen.js';
import { htmlLayout } from '../../conversations/conversations.contract.js';

/** Styles that ran scripts in some mail reader, or that hide such styles by escapes or comments. */
const ACTIVE = /expression|script:|behaviou?r|binding|@import|\\|\/\*/i;

/** Raster images only: an SVG is a document, and may hold scripts. */
const PICTURE = /^\s*data:image\/(?:avif|bmp|gif|jpe?g|png|webp)[;,]/i;

const LINKED = ['http', 'https', 'mailto', 'tel'];
const SHOWN = ['http', 'https', 'cid'];

/**
 * Whether an address has one of the schemes, or none (`/path`, `#part`). What stands before its first colon is a scheme for
 * some reader, unless a slash, `?` or `#` comes first; so a scheme in disguise is one that is not among them. Some skip what
 * nobody sees before it.
 */
function isOneOf(schemes: string[], url: string): boolean {
  const [, scheme] = /^([^/?#:]*):/.exec(url.replace(UNSEEN, '')) ?? [];
  return scheme === undefined || schemes.includes(scheme.toLowerCase());
}

/** The attributes, without the one that holds an address unless the address is `allowed`. */
function withAllowed(
  attribs: sanitize.Attributes,
  name: string,
  allowed: (url: string) => boolean,
): sanitize.Attributes {
  const { [name]: url, ...others } = attribs;
  return url === undefined || allowed(url) ? attribs : others;
}

const isPicture = (url: string): boolean => isOneOf(SHOWN, url) || PICTURE.test(url);

const OPTIONS: sanitize.IOptions = {
  allowedTags: sanitize.defaults.allowedTags.concat([
    'img',
    'font',
    'center',
    'del',
    'ins',
    'u',
    's',
    'strike',
  ]),
  allowedAttributes: {
    '*': ['style', 'class', 'dir', 'lang', 'title', 'align', 'valign', 'width', 'height', 'bgcolor', 'color'],
    a: ['href', 'name', 'target', 'rel'],
    img: ['src', 'alt', 'border'],
    font: ['face', 'size'],
    table: ['border', 'cellpadding', 'cellspacing'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
  },
  allowedSchemes: LINKED,
  allowedSchemesByTag: { img: [...SHOWN, 'data'] },
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: withAllowed(attribs, 'href', (url) => isOneOf(LINKED, url)),
    }),
    img: (tagName, attribs) => ({ tagName, attribs: withAllowed(attribs, 'src', isPicture) }),
    '*': (tagName, attribs) => {
      const { style, ...others } = attribs;
      return { tagName, attribs: ACTIVE.test((style ?? '').replace(UNSEEN, '')) ? others : attribs };
    },
  },
  // The text inside these is not for readers.
  nonTextTags: ['script', 'style', 'textarea', 'option', 'xmp', 'title'],
  // Deeper tags are dropped and their text kept: converting them to text would take seconds, or exhaust the stack.
  nestingLimit: 250,
};

/** The parser's time grows with the square of the depth, so deeper tags are removed before it runs. */
const DEEPEST = 1_000;

/** Elements that hold nothing, or that end at the next of their kind. */
const FLAT =
  /^(area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|param|source|tbody|td|th|thead|tr|track|wbr)$/i;

/** With more tags, each step of sending the draft would block the process for half a second or longer. */
const MOST_TAGS = 50_000;

/**
 * Removes scripts, event handlers, styles that run scripts, frames, forms and all links but web, mail and phone links. HTML
 * without any of these stays as it was given. Throws `RuleViolation` for more than 50,000 tags, or what begins like one.
 */
export function sanitizeHtml(html: string): string {
  if (html.split('<', MOST_TAGS + 2).length > MOST_TAGS + 1)
    throw new RuleViolation('validation_failed', `must not have more than ${MOST_TAGS} tags`, 'body_html');
  const safe = sanitize(withoutDeepTags(html), OPTIONS);
  const isUnambiguous = !html.replace(PLAIN_TAG, '').includes('<');
  return isUnambiguous && asShortest(safe) === asShortest(withKnownEntities(html)) ? html : safe;
}

/** A tag that every reader parses the same way. */
const PLAIN_TAG = /<(?:\/[a-z][a-z0-9]*|[a-z][a-z0-9]*(?: [a-z-]+="[^"<>]*")* ?\/?)>/g;

/**
 * Writes the forms that the library chooses (`<br />`, `&gt;`, `&quot;`, `&amp;`) in the shortest way: two texts that still
 * differ tell what it took out.
 */
const asShortest = (html: string): string =>
  html.replace(/ ?\/>/g, '>').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** Writes entities as the library does: `&nbsp;` as the character, `&#60;` as `&lt;`. */
function withKnownEntities(html: string): string {
  const known = new Map<string, string>();
  return html.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, (entity) => {
    const written = known.get(entity) ?? sanitize(entity);
    known.set(entity, written);
    return written;
  });
}

function withoutDeepTags(html: string): string {
  let depth = 0;
  return html.replace(/<(\/?)([a-z][^\s<>/]*)(?:[\s/][^<>]*)?>/gi, (tag, closes: string, name: string) => {
    if (FLAT.test(name)) return tag;
    if (closes) depth = Math.max(depth - 1, 0);
    const isDeep = depth >= DEEPEST;
    if (!closes) depth++;
    return isDeep ? '' : tag;
  });
}

const WEB = /^\s*https?:\/\//i;

/** The targets of the web links in sanitised HTML, each once, as written but for entities. */
export function linksOf(html: string): string[] {
  const found = new Set<string>();
  withLinks(html, (url) => {
    found.add(url);
    return url;
  });
  return [...found];
}

/** Replaces the target of each web link by what `target` gives; other links stay. */
export const withLinks = (html: string, target: (url: string) => string): string =>
  sanitize(html, {
    ...OPTIONS,
    transformTags: {
      a: (tagName, attribs) => {
        const { href } = attribs;
        return href !== undefined && WEB.test(href)
          ? { tagName, attribs: { ...attribs, href: target(href.trim()) } }
          : { tagName, attribs };
      },
    },
  });

// A noncharacter (Unicode 23.7): for use inside a program, not in text that is exchanged.
const BEHIND_LINK = '\uFDD0';

/** The text of a link, and its target where the two differ. */
const link: FormatCallback = ({ attribs, children }, walk, builder) => {
  const href = ((attribs as { href?: string }).href ?? '').replace(/^mailto:/, '');
  walk(children, builder);
  if (href === '' || href.startsWith('#')) return;
  const isShown = restOf(href, children) === '';
  builder.addInline(isShown ? BEHIND_LINK : ` ${href}${BEHIND_LINK}`, { noWordTransform: true });
};

/**
 * What is left of `target` after the text that the nodes show; null where they show something else. It stops reading there:
 * for links nested in links, each would read everything inside.
 */
function restOf(target: string, nodes: DomNode[]): string | null {
  let rest: string | null = target;
  for (const { data, attribs, children } of nodes) {
    const shown = (data ?? (attribs as { alt?: string } | undefined)?.alt ?? '').trim();
    rest = rest.startsWith(shown) ? restOf(rest.slice(shown.length), children ?? []) : null;
    if (rest === null) return null;
  }
  return rest;
}

const OF_TEXT: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { ...htmlLayout.formatters, link },
  selectors: [{ selector: 'a', format: 'link' }, ...htmlLayout.selectors],
};

const convert = compile(OF_TEXT);
const convertText = compile({ ...OF_TEXT, preserveNewlines: true });

/** HTML without a tag is plain text with line breaks: integrations send replies to texts so. */
const TAG = /<[a-z/!?]/i;

/**
 * A link ends at white space, or at punctuation before white space; elsewhere a space is put in. Brackets would be taken
 * for a part of the link, or for a tag.
 */
const toText = (html: string): string =>
  (TAG.test(html) ? convert : convertText)(html)
    .replace(/(?<!\s)\uFDD0(?![.,;:!?…'"’”»)\]}]*(?:\s|$))/gu, ' ')
    .replaceAll(BEHIND_LINK, '');

/** Converts HTML to plain text with link targets. */
export function textOf(html: string): string {
  try {
    return toText(html);
  } catch {
    // Elements nested thousands deep exhaust the stack; without tags there is no nesting.
    return toText(html.replace(/<\/?[a-z][^<>]*>/gi, ' '));
  }
}
