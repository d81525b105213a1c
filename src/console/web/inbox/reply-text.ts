/** The reply that a person types, as HTML paragraphs. */
export const toHtml = (text: string): string =>
  text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escaped(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** As the service tells them apart: without a tag it is plain text with line breaks. */
const TAG = /<[a-z/!?]/i;

const withoutLines = (html: string): string =>
  html
    .split('\n')
    .map((line) => line.trim())
    .join(' ');

/** The characters that the references of an HTML text stand for. */
export const decoded = (html: string): string =>
  html.replaceAll(
    /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );

/** The words of an HTML text, to be changed in a plain field. */
export const toText = (html: string): string =>
  decoded(
    (TAG.test(html) ? withoutLines(html) : html)
      .replaceAll(/<br\s*\/?>\s?/gi, '\n')
      .replaceAll(/<\/(p|div|h[1-6]|li|tr|blockquote)>\s*/gi, '\n\n')
      .replaceAll(/<[^<>]*>/g, ''),
  )
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/** Whether a plain field would lose some of it. */
export const isFormatted = (html: string): boolean => /<(?!\/?(p|br)\b)[a-z]/i.test(html);
