import { fileTypeFromFile } from 'file-type';

/** Any bytes may be of this type. */
const ANY = 'application/octet-stream';
/** Files of many types are one of these inside: documents in a ZIP, drawings in XML. */
const CONTAINERS = /^application\/(?:zip|gzip|xml|x-cfb|x-bzip2|x-xz|zstd|x-tar)$/;
const TYPE = /^[\w.+-]{1,63}\/[\w.+-]{1,63}$/;

/** The declared type in lower case and without its parameters; that of any bytes where none, or nothing like one, was declared. */
export function typeDeclared(header: string | undefined): string {
  const type = (header ?? '').split(';')[0]!.trim().toLowerCase();
  return TYPE.test(type) ? type : ANY;
}

/**
 * The type that a file has by its first bytes, where that is of another kind than the declared one; null where it is not, or its
 * bytes tell nothing, as those of texts do.
 */
export async function contradictingType(path: string, declared: string): Promise<string | null> {
  const found = (await fileTypeFromFile(path))?.mime;
  if (found === undefined || declared === ANY || CONTAINERS.test(found)) return null;
  return kindOf(found) === kindOf(declared) ? null : found;
}

/** Audio and video share their containers. */
function kindOf(type: string): string {
  const [kind] = type.split('/', 1);
  if (type === 'application/pdf') return type;
  return kind === 'audio' || kind === 'video' || type === 'application/ogg' ? 'media' : kind!;
}
