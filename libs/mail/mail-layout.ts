import type { FormatCallback, HtmlToTextOptions } from 'html-to-text';

const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(' ');
};

/** An image becomes its alternative text: its address is mostly that of a tracking pixel. */
const alternative: FormatCallback = (image, _walk, builder) => {
  const { alt } = (image.attribs ?? {}) as { alt?: string };
  builder.addInline(alt ?? '');
};

export const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** Elements that begin a line, which html-to-text would join with the words around them. */
export const BLOCKS = [
  'address',
  'body',
  'caption',
  'center',
  'dd',
  'dt',
  'figcaption',
  'li',
  'option',
  'tr',
];

/** How HTML is laid out as text: cells and lines apart. */
export const htmlLayout = {
  formatters: { cell, alternative },
  selectors: [
    { selector: 'img', format: 'alternative' },
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
    ...BLOCKS.map((selector) => ({
      selector,
      format: 'block',
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    })),
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
  ],
} satisfies HtmlToTextOptions;

/** Deeper quotes and lists are indented no further: each line would grow by the depth, and the text with its square. */
const DEEPEST_INDENT = 20;

/** HTML whose text is not much longer than the HTML is: without the tags of quotes and lists in twenty others. */
export function withoutDeepIndents(html: string): string {
  let depth = 0;
  return html.replace(/<(\/?)(?:blockquote|[ou]l)\b[^<>]*>/gi, (tag, closes: string) => {
    if (closes) depth = Math.max(depth - 1, 0);
    const isDeep = depth >= DEEPEST_INDENT;
    if (!closes) depth++;
    return isDeep ? '' : tag;
  });
}
