import type { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { typeAlone } from './content-type.js';

/** Types that a browser would run or show as a page of ours. Programs of their own show all others. */
const ACTIVE =
  /^(?:text\/(?!plain$|csv$|calendar$|vcard$)|message\/|multipart\/|.*(?:xml|html|svg|script|ecma|flash|xap|java))/;

/** The answer with a file's bytes, for people to save. What a browser might run is given as application/octet-stream. */
export const downloadOf = (
  bytes: Readable,
  { name, type, size }: { name: string; type: string; size: number },
): StreamableFile =>
  new StreamableFile(bytes, {
    type: ACTIVE.test(typeAlone(type)) ? 'application/octet-stream' : type,
    disposition: dispositionOf(name),
    length: size,
  });

/** `attachment` with the name twice: as ASCII for old programs, as UTF-8 for the others (RFC 6266, RFC 8187). */
function dispositionOf(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
