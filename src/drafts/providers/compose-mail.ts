import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { encodeWord } from 'nodemailer/lib/mime-funcs/index.js';
import type { AnsweredMessage } from '../../conversations/conversations.contract.js';
import { type EmailChannel, onTheWire } from '../../workspace/workspace.contract.js';
import type { Draft } from '../draft.js';
import { addressesOf, copiedTo, type DraftFile, recipientsOf } from '../draft-content.js';
import { withLineEnds, withLinks } from '../content/html.js';
import { type InlineImage, withInlineImages } from '../content/inline-images.js';
import { oneLine } from '../content/plain-text.js';
import { signed } from '../content/signature.js';
import { subjectOf, threadOf } from '../content/mail-thread.js';
import type { OutgoingMail } from './smtp.js';

/**
 * A subject that the reader sees as it was written. A line of a mail ends before its 998th octet (RFC 5322, 2.1.1), and a
 * long word cannot be broken unless it is encoded. Text that looks like an encoded word would be decoded (RFC 2047, 6.1).
 */
const literal = (text: string): string => (/\S{900}|=\?/.test(text) ? encodeWord(text, 'B', 52) : text);

/** A display name that fits into a line. */
const displayName = (name: string): string => oneLine(name).slice(0, 255).toWellFormed();

/**
 * Builds the mail for a draft: HTML with a text alternative, tracked links, the sender's signature and thread headers; bcc only in the
 * envelope.
 */
export async function composeMail(
  draft: Draft,
  channel: EmailChannel,
  answered: AnsweredMessage | null,
  {
    senderName,
    signature,
    replyTo,
    linkRoot,
    unsubscribeUrl,
    bytesOf,
  }: {
    senderName: string | null;
    signature: string | null;
    replyTo: string | null;
    linkRoot: string;
    unsubscribeUrl: string | null;
    bytesOf: BytesOf;
  },
): Promise<OutgoingMail> {
  const { in_reply_to, references } = threadOf(answered);
  const ids = new Map(draft.links.map(({ link_id, url }) => [url, link_id]));
  const { html: pictured, images } = withInlineImages(draft);
  const linked = withLinks(pictured, (url) => (ids.has(url) ? linkRoot + ids.get(url)! : url));
  const body = withLineEnds(linked);
  const { html, text } = signed(body, draft.without_signature ? null : signature);
  const name = displayName(channel.from.name || senderName || '');
  const parts = {
    from: { name, address: channel.from.address },
    ...(replyTo !== null && { replyTo: { name, address: replyTo } }),
    to: recipientsOf(draft).map((address, index) => ({
      name: index === 0 ? displayName(draft.recipient_name ?? '') : '',
      address,
    })),
    cc: copiedTo(draft),
    subject: literal(subjectOf(draft, answered)),
    ...(unsubscribeUrl !== null && { headers: oneClick(unsubscribeUrl) }),
    messageId: `<${draft.email_message_id}>`,
    inReplyTo: in_reply_to.map(bracketed).join(' ') || undefined,
    references: references.map(bracketed).join(' ') || undefined,
    ...(html !== '' && { html }),
    // The composer would leave out an empty text part.
    text: text || '\n',
  };
  const shown = { ...parts, attachments: images.map(inlinePart) };
  const raw = draft.files.length > 0 ? () => mailWith(draft.files, shown, bytesOf) : await builtMail(shown);
  const to = draft.delivery.partly?.left_to ?? addressesOf(draft);
  const recipients = new Set(to.map(onTheWire));
  return { envelope: { from: onTheWire(channel.from.address), to: [...recipients] }, raw };
}

const inlinePart = ({ content_id, content_type, file_name, bytes }: InlineImage) => ({
  cid: content_id,
  filename: file_name,
  contentType: content_type,
  contentDisposition: 'inline' as const,
  content: bytes,
});

type Parts = NonNullable<ConstructorParameters<typeof MailComposer>[0]>;
/** Opens the bytes of a file; null when they are gone. */
type BytesOf = (file: DraftFile) => Promise<Readable | null>;

/** People supply the parts of a mail, so nothing in them may make this machine read a file or fetch a URL. */
const compiled = (parts: Parts) =>
  new MailComposer({ ...parts, disableFileAccess: true, disableUrlAccess: true }).compile();

/** The bytes of a mail. */
export const builtMail = (parts: Parts): Promise<Buffer> => compiled(parts).build();

/** The mail with these files, each read as the mail leaves. Names are encoded as RFC 2231 and, for older programs, RFC 2047. */
function mailWith(files: DraftFile[], parts: Parts, bytesOf: BytesOf): Readable {
  const attachments = files.map((file) => ({
    filename: file.file_name,
    contentType: leafType(file.content_type),
    content: Readable.from(contentOf(file, bytesOf)),
  }));
  return compiled({
    ...parts,
    attachments: [...(parts.attachments ?? []), ...attachments],
  }).createReadStream();
}

/** A part of several parts may have no encoding (RFC 2045, 6.4), and a file may need one. */
const leafType = (type: string): string => (/^multipart\//.test(type) ? 'application/octet-stream' : type);

async function* contentOf(file: DraftFile, bytesOf: BytesOf): AsyncGenerator<Buffer> {
  const bytes = await bytesOf(file);
  if (!bytes) throw new Error(`the file ${file.file_id} is gone`);
  yield* bytes as AsyncIterable<Buffer>;
}

/** The headers by which a mail program unsubscribes its user without showing a page (RFC 8058, 3.1). */
const oneClick = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

const bracketed = (id: string): string => `<${id}>`;
