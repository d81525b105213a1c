import { createHash } from 'node:crypto';
import { withPictures } from './html.js';

/** A picture that stands in the HTML of a draft itself. */
export interface InlineImage {
  content_id: string;
  content_type: string;
  file_name: string;
  bytes: Buffer;
  sha256: string;
}

/** What leaves of a draft's body, and shows in the message that it becomes. */
interface Parted {
  html: string;
  images: InlineImage[];
}

const DATA = /^\s*data:(image\/[a-z]+)((?:;[^,;]*)*),/i;

/**
 * The body of a mail with `cid:` in place of `data:` in its pictures, which the usual readers do not show, and these pictures, each
 * once. The same for every try: their ids are made of the bytes and the mail's Message-ID.
 */
export function withInlineImages({
  body_html,
  email_message_id,
}: {
  body_html: string | null;
  email_message_id: string | null;
}): Parted {
  const html = body_html ?? '';
  if (!/data:image\//i.test(html)) return { html, images: [] };
  const domain = email_message_id?.split('@').at(-1) ?? 'localhost';
  const images = new Map<string, InlineImage>();
  const parted = withPictures(html, (source) => {
    const found = imageIn(source);
    if (!found) return source;
    const sha256 = createHash('sha256').update(found.bytes).digest('hex');
    const content_id = `${sha256.slice(0, 32)}@${domain}`;
    const file_name = `image-${images.size + 1}.${found.content_type.slice('image/'.length)}`;
    if (!images.has(content_id)) images.set(content_id, { ...found, content_id, file_name, sha256 });
    return `cid:${content_id}`;
  });
  return { html: parted, images: [...images.values()] };
}

/** Bytes of the pictures together. */
export const sizeOfImages = (body_html: string | null): number =>
  withInlineImages({ body_html, email_message_id: null }).images.reduce(
    (sum, { bytes }) => sum + bytes.length,
    0,
  );

/** The picture in a `data:` URL (RFC 2397); null for another URL, and where it holds none. */
function imageIn(source: string): Pick<InlineImage, 'content_type' | 'bytes'> | null {
  const [head, type = '', parameters = ''] = DATA.exec(source) ?? [];
  if (head === undefined) return null;
  const data = unescaped(source.slice(head.length));
  const bytes = Buffer.from(data, /;\s*base64\s*$/i.test(parameters) ? 'base64' : 'latin1');
  return bytes.length === 0 ? null : { content_type: type.toLowerCase(), bytes };
}

const unescaped = (data: string): string =>
  data.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
