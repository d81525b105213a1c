import sanitize from 'sanitize-html';
import { UNSEEN } from '#kernel/unseen.js';

/** Styles that ran scripts in some mail reader, or that hide such styles by escapes or comments. */
const ACTIVE = /expression|script:|behaviou?r|binding|@import|\\|\/\*/i;

/** Raster images only: an SVG is a document, and may hold scripts. */
const RASTER = 'image\\/(?:avif|bmp|gif|jpe?g|png|webp)[;,]';
const PICTURE = new RegExp(`^\\s*data:${RASTER}`, 'i');
/** Data of another kind inside a style. */
const OTHER_DATA = new RegExp(`data:(?!${RASTER})`, 'i');

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

/** What no address holds; readers skip it, each in its own places. Line ends and tabs, which mailers put in, all skip everywhere. */
// eslint-disable-next-line no-control-regex -- they are looked for
const CONTROL = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f]/;

/** Whether a link may stay: its text always does. */
export const isSafeLink = (url: string): boolean => isOneOf(LINKED, url) && !CONTROL.test(url);

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

export const SAFE: sanitize.IOptions = {
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
      attribs: withAllowed(attribs, 'href', isSafeLink),
    }),
    img: (tagName, attribs) => ({ tagName, attribs: withAllowed(attribs, 'src', isPicture) }),
    '*': (tagName, attribs) => {
      const { style, ...others } = attribs;
      const seen = (style ?? '').replace(UNSEEN, '');
      return { tagName, attribs: ACTIVE.test(seen) || OTHER_DATA.test(seen) ? others : attribs };
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

/** With more tags, each reading of the document would block the process for half a second or longer. */
export const MOST_TAGS = 50_000;

/** Whether it has more tags, or what begins like one. */
const hasTooMany = (html: string): boolean => html.split('<', MOST_TAGS + 2).length > MOST_TAGS + 1;

/**
 * Removes scripts, event handlers, styles that run scripts, style sheets, frames, forms and all links but web, mail and phone
 * links. HTML without any of these stays as it was given. Null for more than 50,000 tags.
 */
export const safeHtml = (html: string): string | null => cleaned(html, SAFE);

function cleaned(html: string, options: sanitize.IOptions): string | null {
  if (hasTooMany(html)) return null;
  const safe = sanitize(withoutDeepTags(html), options);
  const isUnambiguous = !html.replace(PLAIN_TAG, '').includes('<');
  return isUnambiguous && asShortest(safe) === asShortest(withKnownEntities(html)) ? html : safe;
}

/** A style sheet that ran scripts in some mail reader, or that ends early for some parser. */
const ACTIVE_SHEET = /expression\s*\(|script:|(?<!scroll-)behaviou?r\s*:|-moz-binding|<\//i;

const isActiveSheet = (text: string): boolean => ACTIVE_SHEET.test(text) || OTHER_DATA.test(text);

/** Whether a link is to a style sheet alone: the other kinds fetch what is not shown. */
const isSheet = ({ rel, href }: sanitize.Attributes): boolean =>
  rel?.toLowerCase() === 'stylesheet' && !!href;

const withPicture = (tagName: string, attribs: sanitize.Attributes) => ({
  tagName,
  attribs: withAllowed(attribs, 'background', isPicture),
});

const OF_MAIL: sanitize.IOptions = {
  ...SAFE,
  allowedTags: [...(SAFE.allowedTags as string[]), 'style', 'link'],
  allowedAttributes: {
    ...(SAFE.allowedAttributes as Record<string, string[]>),
    style: ['media', 'type'],
    link: ['rel', 'href', 'media', 'type'],
    table: ['border', 'cellpadding', 'cellspacing', 'background'],
    td: ['colspan', 'rowspan', 'background', 'nowrap'],
  },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'background'],
  allowedSchemesByTag: {
    img: [...SHOWN, 'data'],
    table: [...SHOWN, 'data'],
    td: [...SHOWN, 'data'],
    link: ['http', 'https'],
  },
  allowProtocolRelative: true,
  transformTags: { ...SAFE.transformTags, table: withPicture, td: withPicture },
  exclusiveFilter: ({ tag, text, attribs }) =>
    (tag === 'style' && isActiveSheet(text.replace(UNSEEN, ''))) || (tag === 'link' && !isSheet(attribs)),
  // A sheet in a document without scripts can load pictures and fonts; whether it may, its reader decides.
  allowVulnerableTags: true,
};

/**
 * The HTML of a mail that was exchanged, without whatever could run: as `safeHtml`, but with its style sheets. Whether other
 * servers are asked for what it names is up to whoever shows it. Null for more than 50,000 tags.
 */
export const safeMailHtml = (html: string): string | null => cleaned(html, OF_MAIL);

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
