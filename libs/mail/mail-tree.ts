import { Transform } from 'node:stream';
import { MailParser, type Headers, type StructuredHeader } from 'mailparser';
import { mendBoundaries, type Splitter } from './mail-boundary.js';
import { decodeHeader, decodeText } from './mail-charset.js';
import { mendSender, tidyAddresses } from './mail-addresses.js';
import type { Flow } from './mail-flowed.js';
import { fileInBase64, textInBase64 } from './mail-transfer.js';
import { uudecode } from './mail-uudecode.js';
import { decodeQ, decodeWords, withoutColons } from './mail-words.js';

/** A node of the MIME tree, as mailparser builds it. */
export interface Part {
  contentType: string;
  headers: Headers;
  /** As in the mail: one character per byte, still folded. */
  headerLines: HeaderLine[];
  children: Part[];
  isAttachment?: boolean;
  /** Lines after the last header that are no headers: the writer forgot the empty line before the text. */
  strayText: string;
  /** The decoded content of a text part that is not an attachment. */
  textContent?: string;
  /** Set when the lines of a paragraph are broken up and can be joined again (RFC 3676). */
  flow?: Flow;
  /** What a multipart holds before its first delimiter: everything when it has no delimiter. */
  preamble?: Buffer[];
}

export interface HeaderLine {
  /** The lower-cased name; '' for a line without one. */
  key: string;
  line: string;
}

/** What mailparser hands to its stages while it reads a part. */
interface Node {
  contentType: string | false;
  disposition: string | false;
  filename: string | false;
  root: boolean;
  encoding: string;
  charset: string | false;
  multipart: string | false;
  parentNode: Node | false;
  flowed: boolean;
  delSp: boolean;
  getDecoder(): Transform;
}

interface PartInTheMaking extends Part {
  node: Node;
  charset?: string;
  disposition: string;
  isAttachment: boolean;
}

interface Chunk {
  type: 'node' | 'body' | 'data';
  node: Node;
  value: Buffer;
}

/** The parts of mailparser 3.9 that its types leave out and that we override below. */
interface OpenMailParser extends Transform {
  splitter: Splitter;
  libmime: {
    decodeWords(text?: string): string;
    /** For a parameter's value, whose bytes it writes as in an encoded word of kind Q. */
    decodeWord(charset: string, encoding: string, text: string): string;
  };
  tree: Part;
  curnode: PartInTheMaking;
  getDecoder(): { decodeStream(charset: string): Transform };
  createNode(node: Node): PartInTheMaking;
  processHeaders(lines: HeaderLine[]): Headers;
  ensureMessageIDFormat(value: string): string | false;
  processChunk(chunk: Chunk, done: () => void): void;
}
const Base = MailParser as unknown as abstract new (options: object) => OpenMailParser;

const OPTIONS = {
  ignoreEmbedded: true,
  keepDeliveryStatus: true,
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipImageLinks: true,
};

/** mailparser decodes ASCII and UTF-8 without asking for a decoder. With this prefix before the charset's name, it asks. */
const DECLARED = 'declared:';

/** mailparser, patient with what real mail gets wrong. */
export class MailTree extends Base {
  private bodyCharset: string | null = null;

  /** `enclosesOther`: text of other kinds than plain and HTML is a file, unless it is an alternative or all there is. */
  constructor(private readonly enclosesOther: boolean) {
    super(OPTIONS);
    mendBoundaries(this.splitter);
    this.libmime.decodeWords = (text = '') => decodeWords(text);
    this.libmime.decodeWord = (charset, _encoding, text) => decodeQ(charset, text);
  }

  override createNode(node: Node): PartInTheMaking {
    this.bodyCharset = node.charset || null;
    node.contentType = /^[\w.+-]+\/[\w.+-]+/.exec(node.contentType || '')?.[0] ?? 'text/plain';
    if (/^(x-)?uu/.test(node.encoding)) node.getDecoder = () => new Whole(uudecode);
    let decode = fileInBase64;
    const isBase64 = /^\W*base64\b/.test(node.encoding);
    if (isBase64) node.getDecoder = () => new Whole((bytes) => decode(bytes));
    const flow = node.flowed ? { deletesSpace: node.delSp } : undefined;
    // mailparser would join lines of different quote depths and leave quote marks inside.
    node.flowed = false;

    const part = super.createNode(node);
    node.filename = fileName(part.headers) ?? node.filename;
    if (flow) part.flow = flow;
    const strays = strayLines(part.headerLines).map(({ line }) => line);
    part.strayText = decodeText(Buffer.from(strays.join('\n'), 'latin1'), this.bodyCharset);
    // By RFC 2183 a part of unknown disposition is an attachment; that would lose text.
    if (/^text\/(?!rfc822-headers)/.test(part.contentType) && !this.isFile(part.contentType, node)) {
      part.isAttachment = false;
      part.disposition = 'inline';
      part.charset = DECLARED + (node.charset || '');
      if (isBase64) {
        decode = (bytes) => Buffer.from(textInBase64(bytes, node.charset || null));
        part.charset = 'utf-8';
      }
    }
    return part;
  }

  override getDecoder(): { decodeStream(charset: string): Transform } {
    return {
      decodeStream: (name) =>
        new Whole((bytes) => Buffer.from(decodeText(bytes, name.slice(DECLARED.length) || null))),
    };
  }

  override processHeaders(lines: HeaderLine[]): Headers {
    const strays = strayLines(lines);
    const whole: HeaderLine[] = [];
    for (const { key, line } of lines.slice(0, lines.length - strays.length)) {
      const previous = whole.at(-1);
      if (isNamed(key) || !previous) whole.push({ key, line });
      else previous.line += `\r\n ${line}`;
    }
    return super.processHeaders(whole.map(({ key, line }) => ({ key, line: this.repaired(key, line) })));
  }

  /** mailparser would put brackets around several words, as if they were one id. */
  override ensureMessageIDFormat(value: string): string | false {
    return /\s/.test(value) ? value : super.ensureMessageIDFormat(value);
  }

  override processChunk(chunk: Chunk, done: () => void): void {
    const part = this.curnode;
    if (chunk.type === 'data' && chunk.node.multipart && part.node === chunk.node)
      (part.preamble ??= []).push(chunk.value);
    super.processChunk(chunk, done);
  }

  /** Whether to keep a text part as a file. Plain text and HTML are read, even if they have a file name. */
  private isFile(contentType: string, { disposition, filename, root, parentNode }: Node): boolean {
    if (/^attachment\b/.test(disposition || '')) return true;
    if (/^text\/(?:plain|html)$/.test(contentType)) return false;
    if (filename) return true;
    if (root) return false;
    return ENCLOSED.test(contentType) || (this.enclosesOther && !isAlternative(parentNode));
  }

  /** A header unfolded, as UTF-8, and without the comments in addresses that mailparser stumbles over. */
  private repaired(key: string, line: string): string {
    const unfolded = line.replace(/(?:\r?\n[ \t]+)+/g, ' ');
    const tidy = NAMING.has(key) ? wholeIds(unfolded) : unfolded;
    const bytes = Buffer.from(ADDRESSED.has(key) ? tidyAddresses(withoutColons(tidy)) : tidy, 'latin1');
    const decoded = decodeHeader(bytes, this.bodyCharset);
    const mended = SENDERS.has(key) ? this.mended(decoded) : decoded;
    return Buffer.from(mended).toString('latin1');
  }

  /** The header of a sender, in which a program may have encoded the address as well. */
  private mended(header: string): string {
    const start = header.indexOf(':') + 1;
    const value = header.slice(start);
    const words = value.includes('@') ? value : this.libmime.decodeWords(value);
    return header.slice(0, start) + mendSender(words);
  }
}

/** Kinds of text that accompany a mail, even without a file name: invitations and business cards. */
const ENCLOSED = /^text\/(?:calendar|x-vcalendar|(?:x-)?vcard|directory)$/;

const isAlternative = (parent: Node | false): boolean =>
  parent !== false && parent.multipart === 'alternative';

const NAMING = new Set(['message-id', 'in-reply-to', 'references']);

/** Programs fold within a message id, too, and mailparser takes what is left of the fold for the next id. */
const wholeIds = (line: string): string => line.replace(/<[^<>]*>/g, (id) => id.replace(/\s+/g, ''));

const SENDERS = new Set(['from', 'sender', 'reply-to', 'return-path']);
const ADDRESSED = new Set([...SENDERS, 'to', 'cc', 'bcc']);

/** The name of a file as this parser reads headers; the splitter under it knows fewer charsets. */
function fileName(headers: Headers): string | null {
  const named = (header: string, parameter: string) =>
    (headers.get(header) as StructuredHeader | undefined)?.params[parameter];
  return named('content-disposition', 'filename') || named('content-type', 'name') || null;
}

function isNamed(key: string): boolean {
  return /^[!-9;-~]+$/.test(key);
}

/** The lines after the last header and what continues it: indented lines, and one that closes its bracket. */
function strayLines(lines: HeaderLine[]): HeaderLine[] {
  const last = lines.findLastIndex(({ key }) => isNamed(key));
  const isOpen = /<[^<>]*$/.test(lines[last]?.line ?? '');
  return lines.slice(last + (isOpen ? 2 : 1));
}

/** A stream stage that converts all of its input at once. */
class Whole extends Transform {
  private readonly chunks: Buffer[] = [];

  constructor(private readonly convert: (bytes: Buffer) => Buffer) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }

  override _flush(done: (error: Error | null, data: Buffer) => void): void {
    done(null, this.convert(Buffer.concat(this.chunks)));
  }
}
