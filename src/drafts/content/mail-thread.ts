import { type AnsweredMessage, messageIdKey } from '../../conversations/conversations.contract.js';
import type { Draft } from '../draft.js';
import { oneLine } from './plain-text.js';

/** The subject of a reply: the answered one with a single `Re:`. */
function replySubject(answered: AnsweredMessage | null): string {
  const subject = oneLine(answered?.subject ?? '');
  if (/^re:/i.test(subject)) return subject;
  return `Re: ${subject}`.trim();
}

/** The subject under which a draft leaves by e-mail. */
export const subjectOf = (draft: Draft, answered: AnsweredMessage | null): string =>
  draft.kind === 'response' ? replySubject(answered) : oneLine(draft.subject ?? '');

/**
 * The headers that tie a reply to its thread (RFC 5322, 3.6.4): the answered Message-ID, and the answered mail's references
 * followed by that id; if it has no references, the one mail that it says to answer takes their place.
 */
export function threadOf(answered: AnsweredMessage | null): { in_reply_to: string[]; references: string[] } {
  const key = messageIdKey(answered?.email_metadata.email_message_id ?? '');
  if (!answered || !isInHeader(key)) return { in_reply_to: [], references: [] };
  const { in_reply_to, references } = answered.email_metadata;
  const earlier = (references.length === 0 && in_reply_to.length === 1 ? in_reply_to : references)
    .map(messageIdKey)
    .filter((reference) => isInHeader(reference) && reference !== key);
  return { in_reply_to: [key], references: [...earlier, key] };
}

/** Some programs write ids that are none or fit no line; in a header they would break the others. */
const isInHeader = (id: string): boolean => /^[^\s<>]{1,900}$/.test(id);
