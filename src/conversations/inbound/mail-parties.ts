import { addressKey } from '#kernel/address.js';
import type { IncomingMail, Mailbox } from '#mail/mail.js';
import type { RecordedMessage } from '../message.js';

export type IsOwn = (address: string) => boolean;

/** Addresses of one mail that are looked at; nobody asks for replies to more. */
const MOST_ASKED = 100;

/**
 * Who wrote a mail; null where nothing tells. A list in front of us, or our own site, sends in our name: then the writer is
 * whom its other headers name.
 */
export function writerOf({ from, originalFrom, replyTo }: Senders, isOwn: IsOwn): Mailbox | null {
  if (!from || !isOwn(from.address)) return from;
  const writer = [originalFrom, ...replyTo].find((one) => one !== null && !isOwn(one.address));
  return writer ? { ...writer, name: writer.name ?? nameBeforeVia(from.name ?? '') } : from;
}

/** Others than the writer whom From names, but for ourselves (RFC 5322, 3.6.2: several may write a mail together). */
export function coAuthorsOf(mail: Senders & Pick<IncomingMail, 'authors'>, isOwn: IsOwn): Mailbox[] {
  const writer = writerOf(mail, isOwn);
  return mail.authors.filter(
    ({ address }) => !isOwn(address) && addressKey(address) !== addressKey(writer?.address ?? ''),
  );
}

/** Whom a list sends for, by the name it gives itself: Ann via Help, 'Ann' via Help, Ann (via Help). */
function nameBeforeVia(name: string): string | null {
  const via = name.search(/ \(?via /i);
  return (via > 0 && name.slice(0, via).replace(/^['"\u2018]|['"\u2019]$/g, '')) || null;
}

/** Whether a list has sent in our name what somebody else wrote. */
export const isRewritten = ({ originalFrom }: Senders, isOwn: IsOwn): boolean =>
  originalFrom !== null && !isOwn(originalFrom.address);

/** Where the sender wants replies; marked where one of these addresses is neither ours nor in the domain of From. */
export function replyToOf({ from, replyTo }: Senders, isOwn: IsOwn): ReplyTo {
  if (replyTo.length === 0) return {};
  const asked = replyTo.slice(0, MOST_ASKED).map(({ address }) => address);
  const sender = domainOf(addressKey(from?.address ?? ''));
  const isOther = (address: string) => !isOwn(address) && domainOf(addressKey(address)) !== sender;
  return {
    reply_to: asked.join(', '),
    ...(from !== null && asked.some(isOther) && { reply_to_other_domain: true }),
  };
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

type ReplyTo = Pick<RecordedMessage['email_metadata'], 'reply_to' | 'reply_to_other_domain'>;
type Senders = Pick<IncomingMail, 'from' | 'originalFrom' | 'replyTo'>;
