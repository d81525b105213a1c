import { noticeMessageId } from '../../conversations/conversations.contract.js';
import type { EmailChannel } from '../../workspace/workspace.contract.js';
import { builtMail } from '../providers/compose-mail.js';
import type { Draft } from '../draft.js';
import { recipientsOf } from '../draft-content.js';
import { oneLine } from '../content/plain-text.js';
import type { ReviewNotice } from './review-notice.js';
import type { OutgoingMail } from '../providers/smtp.js';

/** Characters of the draft's subject that the notice shows. */
const SUBJECT_LENGTH = 100;

/** The mail about a draft to review; `apiRoot` is the organization's URL in the API. */
export async function composeNotice(
  notice: ReviewNotice,
  draft: Draft,
  channel: EmailChannel,
  apiRoot: string,
): Promise<OutgoingMail> {
  const subject = oneLine(draft.subject ?? '').slice(0, SUBJECT_LENGTH);
  const recipient = recipientOf(draft);
  const what = draft.kind === 'response' ? 'reply' : 'message';
  const raw = await builtMail({
    from: { name: channel.from.name, address: channel.from.address },
    to: notice.notified_emails,
    subject: `Draft to review: ${subject === '' ? what : `"${subject}"`} to ${recipient}`,
    messageId: `<${noticeMessageId(notice.notice_id, channel.from.address)}>`,
    // RFC 3834: keeps vacation programs from answering.
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: [
      `A ${what} to ${recipient} was drafted and waits for your review.`,
      ...(subject === '' ? [] : ['', `Subject: ${subject}`]),
      '',
      `Draft: ${apiRoot}/${pathOf(draft)}`,
      `To send it: POST ${apiRoot}/${pathOf(draft)}/send`,
      '',
    ].join('\n'),
  });
  return { envelope: { from: channel.from.address, to: notice.notified_emails }, raw };
}

function recipientOf(draft: Draft): string {
  const { recipient_name, recipient_phone_number, modality } = draft;
  const emails = recipientsOf(draft).join(', ') || null;
  const address =
    modality === 'text' ? (recipient_phone_number ?? emails) : (emails ?? recipient_phone_number);
  const name = oneLine(recipient_name ?? '');
  if (address === null) return name || 'nobody yet';
  return name === '' ? address : `${name} (${address})`;
}

const pathOf = ({ kind, draft_id, conversation_id }: Draft): string =>
  kind === 'message'
    ? `message-drafts/${draft_id}`
    : `conversations/${conversation_id}/response-drafts/${draft_id}`;
