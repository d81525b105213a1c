import type { Draft } from './draft.js';
import { textOf } from './html.js';

/** What a draft says where there is no HTML: its body as text, or where that is none a text's subject. */
export function plainText(
  { body_html, subject }: Pick<Draft, 'body_html' | 'subject'>,
  modality: string,
): string {
  const body = textOf(body_html ?? '').trim();
  return body === '' && modality !== 'email' ? (subject ?? '').trim() : body;
}

/** A text as it can stand in the header of a mail. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
