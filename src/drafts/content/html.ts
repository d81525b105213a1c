import { compile, type DomNode, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import sanitize from 'sanitize-html';
import { htmlLayout, withoutDeepIndents } from '#mail/mail-layout.js';
import { SAFE } from '#mail/safe-html.js';

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
    ...SAFE,
    transformTags: {
      a: (tagName, attribs) => {
        const { href } = attribs;
        return href !== undefined && WEB.test(href)
          ? { tagName, attribs: { ...attribs, href: target(href.trim()) } }
          : { tagName, attribs };
      },
    },
  });

/** Replaces the source of each picture in sanitised HTML by what `source` gives. */
export const withPictures = (html: string, source: (url: string) => string): string =>
  sanitize(html, {
    ...SAFE,
    transformTags: {
      img: (tagName, attribs) => {
        const { src } = attribs;
        return { tagName, attribs: src === undefined ? attribs : { ...attribs, src: source(src) } };
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
/** A tenth of the time that as many `<br>` take. */
const convertPlain = compile({ ...OF_TEXT, preserveNewlines: true });

const TAG = /<[a-z/!]/i;

/** HTML without a tag is plain text with entities: integrations send it so. Its line ends are marked as those of HTML. */
export const withLineEnds = (html: string): string =>
  TAG.test(html) ? html : html.replace(/\r\n?|\n/g, '<br>\n');

/**
 * A link ends at white space, or at punctuation before white space; elsewhere a space is put in. Brackets would be taken
 * for a part of the link, or for a tag.
 */
const toText = (html: string): string =>
  (TAG.test(html) ? convert(withoutDeepIndents(html)) : convertPlain(html.replace(/\r\n?/g, '\n')))
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
