import { RuleViolation } from '#kernel/decider.js';
import { LONG } from '#http/input/fields.js';
import { sanitizeHtml } from '#http/input/sanitize-html.js';
import { filled } from './placeholders.js';
import type { Template } from './template.js';

/** A template filled with values. */
export interface Rendered {
  /** One line; null where the template has none. */
  subject: string | null;
  body_html: string;
  /** The names that have no value, each once, in their order. */
  missing: string[];
}

/** The longest subject, in characters. */
const LONGEST_SUBJECT = 1_000;

/**
 * Fills a template. Values are escaped in HTML, and the HTML is sanitised once more: a value may be the target of a link. Throws
 * `RuleViolation` for what becomes longer than a draft's subject or body may be, or has more than 50,000 tags.
 */
export async function rendered(
  { subject, body_html }: Pick<Template, 'subject' | 'body_html'>,
  values: ReadonlyMap<string, string>,
): Promise<Rendered> {
  const line = subject === null ? null : filled(subject, values, (value) => value);
  const body = filled(body_html, values, escaped);
  requireLength('subject', line?.text ?? '', LONGEST_SUBJECT);
  requireLength('body_html', body.text, LONG);
  return {
    subject: line && onOneLine(line.text),
    body_html: await sanitizeHtml(body.text),
    missing: [...new Set([...(line?.missing ?? []), ...body.missing])],
  };
}

function requireLength(field: string, text: string, most: number): void {
  if (text.length > most)
    throw new RuleViolation(
      'validation_failed',
      `becomes longer than ${most} characters with these values`,
      field,
    );
}

/** Between tags, and in an attribute in whichever quotes. */
const escaped = (value: string): string =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** Line breaks of every kind, and controls, would end a header. */
const onOneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
