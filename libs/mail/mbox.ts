/** Where one mail ends and the next begins: an empty line, then the envelope line with its date (RFC 4155). */
const ENVELOPE = /^From .*\b\d{1,2}:\d\d\b/;
const NEWLINE = 0x0a;

/** A mail of an mbox, or the size of one that was left out because it is over the limit. */
export type MboxEntry = { raw: Buffer } | { tooLarge: number };

/** Reads the mails of an mbox of any size one at a time, holding at most `limit` bytes of each. */
export async function* readMbox(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<MboxEntry> {
  let lines: Buffer[] = [];
  let size = 0;
  let isBegun = false;
  let isAfterEmpty = true;
  const ended = (): MboxEntry[] =>
    !isBegun ? [] : size > limit ? [{ tooLarge: size }] : [{ raw: Buffer.concat(lines) }];
  for await (const line of linesOf(chunks, limit)) {
    if (isAfterEmpty && ENVELOPE.test(line.toString('latin1', 0, 200))) {
      yield* ended();
      lines = [];
      size = 0;
      isBegun = true;
      isAfterEmpty = false;
      continue;
    }
    if (!isBegun && line.toString('latin1').trim() !== '')
      throw new Error('This is no mbox: it does not begin with "From ".');
    isAfterEmpty = /^\r?\n?$/.test(line.toString('latin1', 0, 3));
    const unquoted = /^>+From /.test(line.toString('latin1', 0, 100)) ? line.subarray(1) : line;
    size += unquoted.length;
    if (size <= limit) lines.push(unquoted);
    else lines = [];
  }
  yield* ended();
}

/** Lines with their ends; one longer than `limit` comes in pieces. */
async function* linesOf(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...pending, chunk.subarray(from, end + 1)]);
      pending = [];
      held = 0;
      from = end + 1;
    }
    pending.push(Buffer.from(chunk.subarray(from)));
    held += chunk.length - from;
    if (held <= limit) continue;
    yield Buffer.concat(pending);
    pending = [];
    held = 0;
  }
  if (held > 0) yield Buffer.concat(pending);
}
