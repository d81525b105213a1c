import type { Draft } from '../draft.js';
import { textOf } from './html.js';

/** What a draft says without HTML: its body as text; for other channels than e-mail the subject if the body has none. */
export function plainText(
  { body_html, subject }: Pick<Draft, 'body_html' | 'subject'>,
  modality: string,
): string {
  const body = textOf(body_html ?? '').trim();
  return body === '' && modality !== 'email' ? (subject ?? '').trim() : body;
}

/** A text in a form for mail headers. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
