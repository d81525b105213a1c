/** A multipart or a part of one, as mailsplit (under mailparser) sees it; one of these holds the next. */
interface BoundedNode {
  _headerlen: number;
  headers: object | false;
  parseHeaders(): void;
  _parentBoundary: Buffer | false;
  _parentBoundaryOwner: BoundedNode | false;
}

/** 1: a part begins, 2: the multipart ends; 3 and 4: the same for the multipart around it. */
type Delimiter = 1 | 2 | 3 | 4;

/** The parts of mailsplit's splitter that decide where a part ends. */
export interface Splitter {
  node: BoundedNode;
  inEpilogue: boolean;
  checkBoundary(line: Buffer): Delimiter | false;
  push(node: BoundedNode): void;
  compareBoundary(line: Buffer, start: number, boundary: Buffer): 1 | 2 | false;
}

/** Makes the splitter recognise delimiters that it would take for text, or would ignore together with what follows. */
export function mendBoundaries(splitter: Splitter): void {
  const check = splitter.checkBoundary.bind(splitter);
  splitter.checkBoundary = (padded) => {
    if (!padded.subarray(0, 4).includes('--')) return false;
    const line = withoutPadding(padded);
    const { node } = splitter;
    const delimiter = check(line) || afterTheEnd(splitter, check, line) || ofAnOuterMultipart(splitter, line);
    if (delimiter === 3) keepHeaders(splitter, node);
    return delimiter;
  };
}

/** In a part without an empty line, all lines count as headers, its text too; the splitter would drop the part. */
function keepHeaders(splitter: Splitter, node: BoundedNode): void {
  if (node._headerlen === 0 || node.headers) return;
  node.parseHeaders();
  splitter.push(node);
}

/** RFC 2046 lets white space follow a boundary. */
function withoutPadding(line: Buffer): Buffer {
  const text = line.toString('latin1');
  if (!/^\r?\n?--/.test(text) || !/[ \t]\r?\n?$/.test(text)) return line;
  const [newline = ''] = /\r?\n$/.exec(text) ?? [];
  return Buffer.from(text.trimEnd() + newline, 'latin1');
}

/** Parts that follow the closing delimiter are still parts. */
function afterTheEnd(splitter: Splitter, check: Splitter['checkBoundary'], line: Buffer): Delimiter | false {
  if (!splitter.inEpilogue) return false;
  splitter.inEpilogue = false;
  const delimiter = check(line);
  splitter.inEpilogue = delimiter !== 1;
  return delimiter;
}

/** An unclosed multipart ends where a multipart around it continues. */
function ofAnOuterMultipart(splitter: Splitter, line: Buffer): Delimiter | false {
  const start = /^\r?\n?/.exec(line.toString('latin1', 0, 2))![0].length;
  for (let node = splitter.node._parentBoundaryOwner; node; node = node._parentBoundaryOwner) {
    const found = node._parentBoundary && splitter.compareBoundary(line, start, node._parentBoundary);
    if (!found) continue;
    splitter.node = node;
    return found === 1 ? 3 : 4;
  }
  return false;
}
