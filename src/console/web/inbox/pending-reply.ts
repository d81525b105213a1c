import { ParleyError } from '../../../../libs/client/client.js';
import { type Seen, seenAs } from '../data/edit.js';
import type { Calls } from '../data/organization.js';
import type { Conversation, KeptFile, Message, Page, Reply } from '../data/records.js';
import { toHtml, toText } from './reply-text.js';

/** What one types into a reply, and may change of it. */
export interface Draft {
  text: string;
  files: KeptFile[];
  cancel_on_reply: boolean;
  close_after_send: boolean;
}

export const EMPTY: Draft = { text: '', files: [], cancel_on_reply: false, close_after_send: false };

export const REPLIES = '/conversations/{conversation_id}/response-drafts';
export const ONE_REPLY = `${REPLIES}/{response_id}`;

/** The reply that waits in a conversation, with its version; null where there is none. */
export async function pendingReply(calls: Calls, conversation_id: string): Promise<Seen<Reply> | null> {
  const { data } = await calls.GET<Page<Reply>>(REPLIES, { params: { path: { conversation_id } } });
  if (!data[0]) return null;
  const path = { conversation_id, response_id: data[0].response_id };
  try {
    return seenAs(await calls.GET<Reply>(ONE_REPLY, { params: { path } }));
  } catch (error) {
    // Sent or discarded in between.
    if (error instanceof ParleyError && error.status === 404) return null;
    throw error;
  }
}

/** Whether it has left since: it is among the latest messages. */
export async function isSent(
  calls: Calls,
  conversation_id: string,
  mine: Draft,
  since: string,
): Promise<boolean> {
  const params = { path: { conversation_id }, query: { limit: 5 } };
  const { data } = await calls.GET<Page<Message>>('/conversations/{conversation_id}/messages', { params });
  return data.some(
    ({ message_direction, sent_at, content }) =>
      message_direction === 'sent' &&
      Date.parse(sent_at) >= Date.parse(since) &&
      folded(content).startsWith(folded(mine.text)),
  );
}

/** Only a mail carries files. */
export const isMail = (of: Conversation): boolean => of.reply_modality === 'email';

export const textOf = ({ body_html }: Reply): string => toText(body_html ?? '');

const draftOf = (reply: Reply): Draft => ({
  text: textOf(reply),
  files: reply.files,
  cancel_on_reply: reply.cancel_on_reply,
  close_after_send: reply.close_after_send,
});

/**
 * What is saved over the pending reply. What one has not changed stays as it was written: its links and lists, and what no field
 * here shows, such as copies, which the API would take away.
 */
export const bodyOf = (
  { text, files, cancel_on_reply, close_after_send }: Draft,
  base: Base,
  of: Conversation,
) => ({
  ...base?.kept,
  body_html: base && base.draft.text === text ? base.body_html : toHtml(text),
  cancel_on_reply,
  close_after_send,
  ...(isMail(of) && { file_ids: files.map(({ file_id }) => file_id) }),
});

/** Blanks and lines are not kept as they are typed. */
const folded = (text: string): string => text.trim().split(/\s+/).join(' ');

/** Whether two replies say the same. */
export const saysSame = (one: Draft, other: Draft): boolean =>
  folded(one.text) === folded(other.text) &&
  one.files.map(({ file_id }) => file_id).join() === other.files.map(({ file_id }) => file_id).join();

const UNDER_WAY = ['queued', 'sending', 'retrying'];
export const isUnderWay = (reply: Reply | null | undefined): boolean =>
  reply != null && UNDER_WAY.includes(reply.delivery.status);

/** What one's own text builds on: the version that was there, and what it said; null where there was none. */
export type Base = {
  response_id: string;
  etag: string | undefined;
  draft: Draft;
  body_html: string;
  /** What no field here shows. */
  kept: Pick<Reply, 'cc_emails' | 'bcc_emails' | 'without_signature'>;
} | null;

export const NOTHING_KEPT = { cc_emails: [], bcc_emails: [], without_signature: false };

export function baseOf(seen: Seen<Reply> | null): Base {
  if (!seen) return null;
  const { response_id, body_html, cc_emails, bcc_emails, without_signature } = seen.record;
  return {
    response_id,
    etag: seen.etag,
    draft: draftOf(seen.record),
    body_html: body_html ?? '',
    kept: { cc_emails, bcc_emails, without_signature },
  };
}

/** Whether it stands in the pending reply as it is. */
export const isSaved = (base: Base, mine: Draft): boolean =>
  base !== null &&
  base.draft.text === mine.text &&
  saysSame(base.draft, mine) &&
  base.draft.cancel_on_reply === mine.cancel_on_reply &&
  base.draft.close_after_send === mine.close_after_send;

/** Whether somebody else has changed, sent or discarded what one's own text builds on. */
export function hasMet(base: Base, now: Base, mine: Draft): boolean {
  if (base?.response_id === now?.response_id && base?.etag === now?.etag) return false;
  const theirs = now?.draft ?? EMPTY;
  return !saysSame(theirs, mine) && !saysSame(theirs, base?.draft ?? EMPTY);
}
