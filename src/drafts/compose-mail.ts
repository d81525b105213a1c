import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import type { AnsweredMessage } from '../conversations/conversations.contract.js';
import { messageIdKey } from '../conversations/conversations.contract.js';
import type { EmailChannel } from '../workspace/workspace.contract.js';
import type { Draft } from './draft.js';
import { textOf, withLinks } from './html.js';
import { oneLine } from './plain-text.js';
import type { OutgoingMail } from './smtp.js';

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
 * What ties a reply to its thread (RFC 5322, 3.6.4): the answered Message-ID, and its references with it at the end; where
 * it has none, the one mail that it says to answer.
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

/** Some programs write what is no Message-ID; in a header it would break the others. */
const isInHeader = (id: string): boolean => /^[^\s<>]+$/.test(id);

/** The draft as the mail that leaves: HTML with a text alternative, links tracked, threaded; bcc in the envelope alone. */
export async function composeMail(
  draft: Draft,
  channel: EmailChannel,
  answered: AnsweredMessage | null,
  { senderName, replyTo, linkRoot }: { senderName: string | null; replyTo: string | null; linkRoot: string },
): Promise<OutgoingMail> {
  const { in_reply_to, references } = threadOf(answered);
  const ids = new Map(draft.links.map(({ link_id, url }) => [url, link_id]));
  const html = withLinks(draft.body_html ?? '', (url) => (ids.has(url) ? linkRoot + ids.get(url)! : url));
  const name = channel.from.name || senderName || '';
  const raw = await builtMail({
    from: { name, address: channel.from.address },
    ...(replyTo !== null && { replyTo: { name, address: replyTo } }),
    to: { name: oneLine(draft.recipient_name ?? ''), address: draft.recipient_email! },
    cc: draft.cc_emails,
    subject: subjectOf(draft, answered),
    messageId: `<${draft.email_message_id}>`,
    inReplyTo: in_reply_to.map(bracketed).join(' ') || undefined,
    references: references.map(bracketed).join(' ') || undefined,
    ...(html !== '' && { html }),
    text: textOf(html),
  });
  const to = draft.delivery.partly?.left_to ?? [
    draft.recipient_email!,
    ...draft.cc_emails,
    ...draft.bcc_emails,
  ];
  return { envelope: { from: channel.from.address, to: [...new Set(to)] }, raw };
}

/** The bytes of a mail. Its parts are people's: nothing in them may make this machine read a file or fetch a URL. */
export const builtMail = (parts: ConstructorParameters<typeof MailComposer>[0]): Promise<Buffer> =>
  new MailComposer({ ...parts, disableFileAccess: true, disableUrlAccess: true }).compile().build();

const bracketed = (id: string): string => `<${id}>`;
