/**
 * The bytes of uuencoded text (POSIX uuencode, historical algorithm); lines outside begin and end are
 * ignored.
 */
export function uudecode(encoded: Buffer): Buffer {
  const lines = encoded.toString('latin1').split(/\r?\n/);
  const begin = lines.findIndex((line) => /^begin [0-7]+ /.test(line));
  const end = lines.indexOf('end', begin);
  return Buffer.concat(lines.slice(begin + 1, end < 0 ? undefined : end).map(decodedLine));
}

function decodedLine(line: string): Buffer {
  const sextet = (index: number) => (index < line.length ? (line.charCodeAt(index) - 32) & 63 : 0);
  const bytes = Buffer.alloc(sextet(0));
  for (let at = 0, from = 1; at < bytes.length; at += 3, from += 4) {
    const group =
      (sextet(from) << 18) | (sextet(from + 1) << 12) | (sextet(from + 2) << 6) | sextet(from + 3);
    bytes[at] = group >> 16;
    bytes[at + 1] = group >> 8;
    bytes[at + 2] = group;
  }
  return bytes;
}
