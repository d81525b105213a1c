import { noticeMessageId } from '../../conversations/conversations.contract.js';
import type { EmailChannel } from '../../workspace/workspace.contract.js';
import { builtMail } from '../providers/compose-mail.js';
import type { OutgoingMail } from '../providers/smtp.js';
import type { Notice } from './notice.js';
import type { NoticeText } from './notice-texts.js';

/** The mail that a notice is. */
export async function composeNotice(
  { notice_id, notified_emails }: Notice,
  { subject, lines }: NoticeText,
  channel: EmailChannel,
): Promise<OutgoingMail> {
  const raw = await builtMail({
    from: { name: channel.from.name, address: channel.from.address },
    to: notified_emails,
    subject,
    messageId: `<${noticeMessageId(notice_id, channel.from.address)}>`,
    // RFC 3834: keeps vacation programs from answering.
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: [...lines, ''].join('\n'),
  });
  return { envelope: { from: channel.from.address, to: notified_emails }, raw };
}
