import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import type { AnsweredMessage } from '../conversations/conversations.contract.js';
import { messageIdKey } from '../conversations/conversations.contract.js';
import type { EmailChannel } from '../workspace/workspace.contract.js';
import { textOf } from './html.js';
import type { ResponseDraft } from './response-draft.js';
import type { OutgoingMail } from './smtp.js';

/** The subject of a reply: the answered one with a single `Re:`. */
export function replySubject(answered: AnsweredMessage | null): string {
  const subject = (answered?.subject ?? '').replace(/\s+/g, ' ').trim();
  if (/^re:/i.test(subject)) return subject;
  return `Re: ${subject}`.trim();
}

/** What ties a reply to its thread (RFC 5322, 3.6.4): the answered Message-ID, and its references with it at the end. */
export function threadOf(answered: AnsweredMessage | null): { in_reply_to: string[]; references: string[] } {
  const id = answered?.email_metadata.email_message_id;
  if (!id) return { in_reply_to: [], references: [] };
  const key = messageIdKey(id);
  const earlier = answered.email_metadata.references
    .map(messageIdKey)
    .filter((reference) => reference !== key);
  return { in_reply_to: [key], references: [...earlier, key] };
}

/** The reply as the mail that leaves: HTML with a text alternative, threaded; bcc in the envelope alone. */
export async function composeReply(
  draft: ResponseDraft,
  channel: EmailChannel,
  answered: AnsweredMessage | null,
  senderName: string | null,
): Promise<OutgoingMail> {
  const { in_reply_to, references } = threadOf(answered);
  const composer = new MailComposer({
    from: { name: channel.from.name || senderName || '', address: channel.from.address },
    to: { name: draft.recipient_name ?? '', address: draft.recipient_email! },
    cc: draft.cc_emails,
    subject: replySubject(answered),
    messageId: `<${draft.email_message_id}>`,
    inReplyTo: in_reply_to.map(bracketed).join(' ') || undefined,
    references: references.map(bracketed).join(' ') || undefined,
    html: draft.body_html,
    text: textOf(draft.body_html),
    // The body is people's HTML: nothing in it may make this machine read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const raw = await composer.compile().build();
  const to = [draft.recipient_email!, ...draft.cc_emails, ...draft.bcc_emails];
  return { envelope: { from: channel.from.address, to: [...new Set(to)] }, raw };
}

const bracketed = (id: string): string => `<${id}>`;
