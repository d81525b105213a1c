import { authenticationResults } from './mail-authentication.js';
import { isAutoReply } from './mail-automatic.js';
import { complainants, deliveryReport, receiptFor, reportType } from './mail-bounce.js';
import { readContent, type Enclosed } from './mail-content.js';
import {
  dateOf,
  deliveredTo,
  idsIn,
  mailboxesIn,
  originalSenderOf,
  senderOf,
  subjectOf,
} from './mail-headers.js';
import { htmlOf } from './mail-html.js';
import { leavesOut, textOf } from './mail-text.js';
import { allStorable, storable } from '#kernel/text.js';
import { type IncomingFile, type IncomingMail, type Mailbox } from './mail.js';
import { namesInstant, sentAt } from './mail-date.js';

/** How many levels of attached messages are searched for text. */
const MAX_DEPTH = 4;

/**
 * Reads one e-mail as it travels (RFC 5322 and MIME, an mbox "From " line allowed), however broken.
 * Throws only for what no mailer writes: over 1,000 parts, or over 1 MiB of headers in one part.
 */
export async function parseMail(raw: Buffer, now = new Date()): Promise<IncomingMail> {
  const { enclosed, ...mail } = await parse(raw, now, 1);
  return { ...allStorable(mail), attachments: mail.bounce ? [] : enclosed.map(asFile) };
}

const asFile = ({ type, name, contentId, isInline, bytes }: Enclosed): IncomingFile => ({
  name: name && storable(name),
  type,
  isInline: isInline && contentId !== null,
  contentId: contentId && storable(contentId),
  bytes,
});

type Parsed = Omit<IncomingMail, 'attachments'> & { enclosed: Enclosed[] };

async function parse(raw: Buffer, now: Date, depth: number): Promise<Parsed> {
  const read = await readContent(raw);
  // Whether there is better text is known at the end; then the bytes of the others are gone.
  const { root, enclosed } = leavesOut(read.root) ? await readContent(raw, true) : read;
  const { headers, headerLines } = root;
  const date = dateOf(headerLines);
  const inner: { mail: Parsed; isInline: boolean }[] = [];
  for (const { bytes, isInline } of depth < MAX_DEPTH ? enclosed.filter(isMessage) : [])
    inner.push({ mail: await parse(bytes, now, depth + 1), isInline });

  const report = reportType(root);
  const statuses = enclosed.filter(isStatus).map(({ bytes }) => deliveryReport(bytes.toString('utf8')));
  const recipients = statuses.flatMap((status) => status.recipients);
  const isBounce = report === 'delivery-status' || (report !== null && recipients.length > 0);
  const prose = statuses.filter((status) => !isBounce || status.recipients.length === 0);

  const named = idsIn(headers, 'in-reply-to');
  const receipts = named.length > 0 || report === null ? [] : enclosed.filter(isReceipt);
  const inReplyTo = [...named, ...receipts.flatMap(({ bytes }) => receiptFor(bytes.toString('utf8')) ?? [])];
  const returned = inner.find(({ mail }) => mail.messageId !== null)?.mail.messageId;
  const feedback = report === 'feedback-report' ? feedbackIn(enclosed) : null;
  const text = joined([textOf(root), ...prose.map((status) => status.text)]);
  const contentIds = enclosed.flatMap(({ contentId }) => contentId ?? []);
  const [to, cc] = [mailboxesIn(headers, 'to'), mailboxesIn(headers, 'cc')];
  const shown = inner.filter(({ isInline }) => isInline || text === '');

  return {
    messageId: idsIn(headers, 'message-id')[0] ?? null,
    inReplyTo,
    references: idsIn(headers, 'references'),
    from: senderOf(headers),
    authors: mailboxesIn(headers, 'from'),
    originalFrom: originalSenderOf(headers),
    replyTo: mailboxesIn(headers, 'reply-to'),
    to: to.map(addressOf),
    cc: cc.map(addressOf),
    bcc: mailboxesIn(headers, 'bcc').map(addressOf),
    addressed: { to, cc },
    deliveredTo: deliveredTo(headers),
    subject: subjectOf(headers),
    text: joined([text, ...shown.map(({ mail }) => mail.text)]),
    html: depth > 1 ? null : htmlOf(root, contentIds),
    sentAt: sentAt(date, now),
    isDated: namesInstant(date),
    isAutoReply: report !== null || isAutoReply(headerLines),
    authenticationResults: authenticationResults(headerLines),
    bounce: isBounce ? { originalMessageId: returned ?? inReplyTo[0] ?? null, recipients } : null,
    complaint: feedback ? { originalMessageId: returned ?? null, recipients: feedback } : null,
    enclosed,
  };
}

const addressOf = ({ address }: Mailbox): string => address;

function isMessage({ type }: Enclosed): boolean {
  return /^message\/(?:rfc822|global)$|(?:rfc822|global)-headers$/.test(type);
}

function isStatus({ type }: Enclosed): boolean {
  return /^message\/(?:global-)?delivery-status$/.test(type);
}

/** Who complains by the report in these parts; null when nobody does. */
function feedbackIn(enclosed: Enclosed[]): string[] | null {
  const part = enclosed.find(({ type }) => type === 'message/feedback-report');
  return part ? complainants(part.bytes.toString('utf8')) : null;
}

function isReceipt({ type }: Enclosed): boolean {
  return /^message\/(?:global-)?disposition-notification$/.test(type);
}

function joined(texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
