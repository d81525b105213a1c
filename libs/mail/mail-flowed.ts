/** How a text part flows. */
export interface Flow {
  /** `DelSp=yes`: the space by which a line flows is no part of the text. */
  deletesSpace: boolean;
}

interface Paragraph {
  /** How many times it is quoted. */
  depth: number;
  text: string;
}

/**
 * Text of `format=flowed` with each paragraph on one line, quote marks before it (RFC 3676, section 4): a line that ends
 * in a space goes on in the next of its depth. A signature's `-- ` neither goes on nor continues another.
 */
export function unflowed(text: string, { deletesSpace }: Flow): string {
  const paragraphs: Paragraph[] = [];
  let goesOn = false;
  for (const line of text.split('\n')) {
    const depth = /^>*/.exec(line)![0].length;
    // A space is put before what would look like a quote mark, or a "From " line.
    const stuffed = line.slice(depth).replace(/^ /, '');
    const isSignature = stuffed === '-- ';
    const flows = stuffed.endsWith(' ') && !isSignature;
    const content = flows && deletesSpace ? stuffed.slice(0, -1) : stuffed;
    const last = paragraphs.at(-1);
    if (goesOn && last?.depth === depth && !isSignature) last.text += content;
    else paragraphs.push({ depth, text: content });
    goesOn = flows;
  }
  return paragraphs
    .map(({ depth, text }) => (depth === 0 ? text : `${'>'.repeat(depth)} ${text}`.trimEnd()))
    .join('\n');
}
