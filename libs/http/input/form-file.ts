import { finished, type Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { invalid, type Problem } from '../problems/problem.js';

/** What a form says of a file beside its bytes. */
export interface FormFile {
  file_name: string;
  /** As the form has it; empty for none. */
  content_type: string;
}

/**
 * The file of a multipart/form-data body (RFC 7578) that holds nothing else, and what `take` makes of its bytes as they come. Throws a
 * Problem 400 for any other body, and what `take` throws.
 */
export async function fileOfForm<Taken>(
  type: string,
  body: Readable,
  take: (bytes: Readable) => Promise<Taken>,
): Promise<{ file: FormFile; taken: Taken }> {
  const boundary = parametersOf(type).get('boundary');
  if (!boundary) throw wrong('has no boundary in its Content-Type');
  const dicer = new Dicer({ boundary });
  let head: Headers | undefined;
  let taken: Promise<Taken> | undefined;
  try {
    await new Promise<void>((done, fail) => {
      dicer.on('part', (part) => {
        part.on('error', fail);
        if (taken) fail(wrong('must hold one file alone'));
        part.once('header', (told) => (head = told as Headers));
        taken = take(part);
        taken.catch(fail);
      });
      dicer.once('finish', done).once('error', () => fail(wrong('is no multipart/form-data')));
      finished(body, { writable: false }, (error) => error && fail(wrong('broke off before its end')));
      body.pipe(dicer);
    });
  } finally {
    body.unpipe(dicer);
  }
  const file_name = fileNameIn(head?.['content-disposition']?.[0] ?? '');
  if (!taken || !file_name) throw wrong('must hold one file, with its name');
  return {
    file: { file_name, content_type: head?.['content-type']?.[0] ?? '' },
    taken: await taken,
  };
}

/** Header fields by their names in lower case, their bytes as characters. */
type Headers = Record<string, string[] | undefined>;

/** As browsers write it (HTML, 4.10.21.8), or by RFC 8187; empty for none. */
function fileNameIn(disposition: string): string {
  const parameters = parametersOf(disposition);
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(parameters.get('filename*') ?? '') ?? [];
  if (encoded !== undefined) return percentDecoded(encoded);
  return utf8(parameters.get('filename') ?? '').replace(/%(22|0D|0A)/gi, percentDecoded);
}

const PARAMETER = /;\s*([\w*-]+)\s*=\s*(?:"((?:\\["\\]|[^"])*)"|([^;\s]*))/g;

function parametersOf(header: string): Map<string, string> {
  return new Map(
    Array.from(header.matchAll(PARAMETER), ([, name, quoted, plain]) => [
      name!.toLowerCase(),
      quoted?.replace(/\\(["\\])/g, '$1') ?? plain!,
    ]),
  );
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Programs that know no Unicode write the name in windows-1252. */
function utf8(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const wrong = (detail: string): Problem => invalid([{ field: 'body', detail }]);
