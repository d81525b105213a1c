import { ParleyError } from '../../../../libs/client/client.js';
import { type Seen, seenAs } from '../data/edit.js';
import type { Calls } from '../data/organization.js';
import type { Conversation, KeptFile, Page, Reply } from '../data/records.js';
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

const isEmail = (of: Conversation): boolean => of.last_message.modality === 'email';

export const textOf = ({ body_html }: Reply, of: Conversation): string =>
  isEmail(of) ? toText(body_html ?? '') : (body_html ?? '');

const draftOf = (reply: Reply, of: Conversation): Draft => ({
  text: textOf(reply, of),
  files: reply.files,
  cancel_on_reply: reply.cancel_on_reply,
  close_after_send: reply.close_after_send,
});

export const bodyOf = ({ text, files, cancel_on_reply, close_after_send }: Draft, of: Conversation) => ({
  body_html: isEmail(of) ? toHtml(text) : text,
  cancel_on_reply,
  close_after_send,
  ...(isEmail(of) && { file_ids: files.map(({ file_id }) => file_id) }),
});

/** Blanks and lines are not kept as they are typed. */
const folded = (text: string): string => text.trim().split(/\s+/).join(' ');

/** Whether two replies say the same. */
const saysSame = (one: Draft, other: Draft): boolean =>
  folded(one.text) === folded(other.text) &&
  one.files.map(({ file_id }) => file_id).join() === other.files.map(({ file_id }) => file_id).join();

const UNDER_WAY = ['queued', 'sending', 'retrying'];
export const isUnderWay = (reply: Reply | null | undefined): boolean =>
  reply != null && UNDER_WAY.includes(reply.delivery.status);

/** What one's own text builds on: the version that was there, and what it said; null where there was none. */
export type Base = { response_id: string; etag: string | undefined; draft: Draft } | null;

export const baseOf = (kept: Seen<Reply> | null, of: Conversation): Base =>
  kept && { response_id: kept.record.response_id, etag: kept.etag, draft: draftOf(kept.record, of) };

/** Whether somebody else has changed, sent or discarded what one's own text builds on. */
export function hasMet(base: Base, now: Base, mine: Draft): boolean {
  if (base?.response_id === now?.response_id && base?.etag === now?.etag) return false;
  const theirs = now?.draft ?? EMPTY;
  return !saysSame(theirs, mine) && !saysSame(theirs, base?.draft ?? EMPTY);
}
