import type { Readable } from 'node:stream';
import type { AttachmentStream, MessageText } from 'mailparser';
import { decodeText } from './mail-charset.js';
import { mayBeSigned, signedContent } from './mail-signed.js';
import { mayBeTnef, tnefContent } from './mail-tnef.js';
import { MailTree, type Part } from './mail-tree.js';

interface MailContent {
  root: Part;
  /** The attachments, decoded; attached messages, returned headers and delivery reports among them. */
  enclosed: Enclosed[];
}

export interface Enclosed {
  type: string;
  isInline: boolean;
  name: string | null;
  contentId: string | null;
  bytes: Buffer;
}

/** Takes a mail apart. With `enclosesOther`, text of other kinds than plain and HTML is enclosed as a file. */
export async function readContent(raw: Buffer, enclosesOther = false, depth = 0): Promise<MailContent> {
  const tree = new MailTree(enclosesOther);
  tree.end(withoutTraps(raw));
  const enclosed: Enclosed[] = [];
  for await (const item of tree as AsyncIterable<AttachmentStream | MessageText>) {
    if (item.type !== 'attachment') continue;
    const chunks: Buffer[] = [];
    for await (const chunk of item.content as Readable) chunks.push(chunk as Buffer);
    item.release();
    enclosed.push({
      type: item.contentType,
      isInline: item.contentDisposition === 'inline',
      name: item.filename || null,
      contentId: item.cid || null,
      bytes: Buffer.concat(chunks),
    });
  }
  const unwrapped = await unwrap(tree.tree, enclosed, enclosesOther, depth);
  await openMultiparts(tree.tree, unwrapped, enclosesOther, depth);
  return { root: tree.tree, enclosed: unwrapped };
}

/** The files, but in place of those that wrap a part what is in it; its text joins the tree. */
async function unwrap(
  root: Part,
  files: Enclosed[],
  enclosesOther: boolean,
  depth: number,
): Promise<Enclosed[]> {
  const wraps = (file: Enclosed) => mayBeSigned(file) || mayBeTnef(file);
  if (depth >= MOST_OPENED || !files.some(wraps)) return files;
  const parts = attachmentsIn(root);
  const hasText = saysSomething(root);
  const all: Enclosed[] = [];
  for (const [nr, file] of files.entries()) {
    const content = mayBeTnef(file)
      ? tnefContent(file.bytes, !hasText)
      : mayBeSigned(file)
        ? signedContent(file.bytes)
        : null;
    if (content === null) all.push(file);
    else {
      const inner = await readContent(content, enclosesOther, depth + 1);
      parts[nr]!.children = [inner.root];
      all.push(...inner.enclosed);
    }
  }
  return all;
}

/** Outlook sends the text of a mail in its own format, too. */
const saysSomething = ({ textContent, children }: Part): boolean =>
  (textContent ?? '').trim() !== '' || children.some(saysSomething);

/** In the order in which the files come. */
const attachmentsIn = (part: Part): Part[] => [
  ...(part.isAttachment ? [part] : []),
  ...part.children.flatMap(attachmentsIn),
];

/**
 * Removes what stands before the first header and would end the headers before they begin: empty lines, a mark of the byte
 * order, envelope lines of an mbox. Mends a first line `From : …`, which mailparser would take for such a line.
 */
function withoutTraps(raw: Buffer): Buffer {
  const start = raw.toString('latin1', 0, 1_000);
  const [trap = '', from] =
    /^(?:\xef\xbb\xbf|[ \t]*\r?\n|>?From [^\r\n]*\d\d:\d\d[^\r\n]*\r?\n)*(From[ \t]+:)?/i.exec(start) ?? [];
  return Buffer.concat([Buffer.from(from ? 'From:' : ''), raw.subarray(trap.length)]);
}

/** Multiparts without a boundary, and signed parts, that are opened within each other: each is read with all that is in it. */
const MOST_OPENED = 5;

const DELIMITER = /^--([^\s"\\][^\r\n"\\]*)\r?\ncontent-[a-z-]+[ \t]*:/im;

/**
 * Reads multiparts again whose boundary is missing or wrong: by the delimiter they use, else as plain text.
 */
async function openMultiparts(
  part: Part,
  enclosed: Enclosed[],
  enclosesOther: boolean,
  depth: number,
): Promise<void> {
  for (const child of part.children) await openMultiparts(child, enclosed, enclosesOther, depth);
  if (part.children.length > 0 || !part.preamble) return;

  const body = Buffer.concat(part.preamble);
  const delimiter = depth < MOST_OPENED ? DELIMITER.exec(body.toString('latin1')) : null;
  const boundary = delimiter?.[1]!.trimEnd();
  if (boundary === undefined) {
    part.contentType = 'text/plain';
    part.textContent = decodeText(body, null);
    return;
  }
  const header = Buffer.from(`Content-Type: ${part.contentType}; boundary="${boundary}"\r\n\r\n`, 'latin1');
  const content = await readContent(Buffer.concat([header, body]), enclosesOther, depth + 1);
  part.children = [content.root];
  enclosed.push(...content.enclosed);
}
