/** What a TNEF stream holds of a message, as far as a reader of mails needs it. */
export interface TnefMessage {
  /** Texts are bytes in `charset` unless they are strings. */
  charset: string;
  subject: Value | null;
  text: Value | null;
  html: Value | null;
  /** RTF as it is compressed (MS-OXRTFCP). */
  rtf: Buffer | null;
  files: TnefFile[];
}

export interface TnefFile {
  name: Value | null;
  type: Value | null;
  contentId: Value | null;
  bytes: Buffer;
  /** Another message, as a TNEF stream of its own. */
  isMessage: boolean;
}

/** A text: as a string where it is UTF-16, else its bytes. */
export type Value = string | Buffer;
type Properties = Map<number, Value>;

const SIGNATURE = 0x223e9f78;
/** Attributes of a message and of its files, by the lower half of their ids (MS-OXTNEF, 2.1.3.2). */
const ATTRIBUTE = {
  subject: 0x8004,
  body: 0x800c,
  fileData: 0x800f,
  fileTitle: 0x8010,
  fileBegins: 0x9002,
  properties: 0x9003,
  fileProperties: 0x9005,
  codePage: 0x9007,
};
/** Properties (MS-OXPROPS). */
const PROPERTY = {
  subject: 0x0037,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  name: 0x3001,
  data: 0x3701,
  fileName: 0x3704,
  longFileName: 0x3707,
  type: 0x370e,
  contentId: 0x3712,
  codePage: 0x3fde,
};
/** Types of properties (MS-OXCDATA, 2.11.1) with values of one size, padded to four bytes. */
const SIZES: Record<number, number> = {
  ...{ 0x02: 4, 0x03: 4, 0x04: 4, 0x0a: 4, 0x0b: 4 },
  ...{ 0x05: 8, 0x06: 8, 0x07: 8, 0x14: 8, 0x40: 8, 0x48: 16 },
};
const [STRING_8, UNICODE, BINARY, OBJECT, MULTIPLE] = [0x1e, 0x1f, 0x102, 0x0d, 0x1000];
/** An object begins with the id of its interface. */
const INTERFACE_ID = 16;
const NAMED = 0x8000;

/** Reads a TNEF stream (MS-OXTNEF), the `winmail.dat` of Outlook. Throws a RangeError for what is cut off or no TNEF. */
export function readTnef(bytes: Buffer): TnefMessage {
  if (bytes.readUInt32LE(0) !== SIGNATURE) throw new RangeError('no TNEF');
  const message: Properties = new Map();
  const files: Properties[] = [];
  let codePage = 1252;
  for (let at = 6; at < bytes.length;) {
    const attribute = bytes.readUInt32LE(at + 1) & 0xffff;
    const length = bytes.readUInt32LE(at + 5);
    const value = part(bytes, at + 9, length);
    // Behind it is a checksum, which some programs get wrong.
    at += 9 + length + 2;
    if (attribute === ATTRIBUTE.fileBegins) files.push(new Map());
    const file = files.at(-1);
    if (attribute === ATTRIBUTE.codePage) codePage = value.readUInt32LE(0);
    else if (attribute === ATTRIBUTE.subject) message.set(PROPERTY.subject, withoutNul(value));
    else if (attribute === ATTRIBUTE.body) message.set(PROPERTY.body, withoutNul(value));
    else if (attribute === ATTRIBUTE.properties) readProperties(value, message);
    else if (attribute === ATTRIBUTE.fileTitle) file?.set(PROPERTY.fileName, withoutNul(value));
    else if (attribute === ATTRIBUTE.fileData) file?.set(PROPERTY.data, value);
    else if (attribute === ATTRIBUTE.fileProperties && file) readProperties(value, file);
  }
  const internet = message.get(PROPERTY.codePage);
  return {
    charset: charsetOf(Buffer.isBuffer(internet) ? internet.readUInt32LE(0) : codePage),
    subject: message.get(PROPERTY.subject) ?? null,
    text: message.get(PROPERTY.body) ?? null,
    html: message.get(PROPERTY.html) ?? null,
    rtf: binary(message.get(PROPERTY.rtf)),
    files: files.flatMap((file) => fileOf(file) ?? []),
  };
}

function fileOf(file: Properties): TnefFile | null {
  const data = binary(file.get(PROPERTY.data));
  if (data === null) return null;
  const inner = data.subarray(INTERFACE_ID);
  const isMessage = inner.length > 6 && inner.readUInt32LE(0) === SIGNATURE;
  return {
    name:
      [PROPERTY.longFileName, PROPERTY.fileName, PROPERTY.name].map((id) => file.get(id)).find(Boolean) ??
      null,
    type: file.get(PROPERTY.type) ?? null,
    contentId: file.get(PROPERTY.contentId) ?? null,
    bytes: isMessage ? inner : data,
    isMessage,
  };
}

/** The values of a list of properties (MS-OXTNEF, 2.1.3.4); of those that have several, none. */
function readProperties(bytes: Buffer, into: Properties): void {
  let at = 4;
  for (let left = bytes.readUInt32LE(0); left > 0; left--) {
    const type = bytes.readUInt16LE(at);
    const id = bytes.readUInt16LE(at + 2);
    at += 4;
    if (id >= NAMED) at = afterName(bytes, at + 16);
    const single = type & ~MULTIPLE;
    const size = SIZES[single];
    const isMultiple = (type & MULTIPLE) !== 0;
    const count = isMultiple || size === undefined ? bytes.readUInt32LE(at) : 1;
    if (isMultiple || size === undefined) at += 4;
    if (count > bytes.length) throw new RangeError('more values than bytes');
    for (let nr = 0; nr < count; nr++) {
      const length = size ?? bytes.readUInt32LE(at);
      if (size === undefined) at += 4;
      const value = part(bytes, at, length);
      at += length + padding(length);
      if (!isMultiple) into.set(id, valueOf(single, value));
    }
  }
}

/** A property of a program's own is named by a number or a text. */
function afterName(bytes: Buffer, at: number): number {
  if (bytes.readUInt32LE(at) === 0) return at + 8;
  const length = bytes.readUInt32LE(at + 4);
  return at + 8 + length + padding(length);
}

function valueOf(type: number, value: Buffer): Value {
  if (type === UNICODE) return value.toString('utf16le').split('\0', 1)[0]!;
  if (type === STRING_8) return withoutNul(value);
  if (type in SIZES || type === BINARY || type === OBJECT) return value;
  throw new RangeError(`unknown type ${type}`);
}

const part = (bytes: Buffer, at: number, length: number): Buffer => {
  if (at + length > bytes.length) throw new RangeError('cut off');
  return bytes.subarray(at, at + length);
};
const padding = (length: number): number => (4 - (length % 4)) % 4;
const binary = (value: Value | undefined): Buffer | null => (Buffer.isBuffer(value) ? value : null);
const withoutNul = (value: Buffer): Buffer => {
  const end = value.indexOf(0);
  return end < 0 ? value : value.subarray(0, end);
};
const charsetOf = (codePage: number): string =>
  ({
    65001: 'utf-8',
    20127: 'us-ascii',
    28591: 'iso-8859-1',
    932: 'shift_jis',
    936: 'gbk',
    949: 'euc-kr',
    950: 'big5',
  })[codePage] ?? `windows-${codePage}`;
