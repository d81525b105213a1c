import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodySpool } from './body-spool.js';
import { fileOfForm } from './form-file.js';
import { Spooled } from './spool.js';

/** The largest upload in bytes. */
export const LARGEST_FILE = 20 * 1024 * 1024;
/** Bytes that a form may have around its file. */
const ROOM_OF_FORM = 64 * 1024;
const FORM = /^\s*multipart\/form-data\s*(?:;|$)/i;
/** The only type with this parser: an upload's own type says nothing of how to read it. */
const BYTES = 'application/octet-stream';

/** A body of any type, or the file that a form holds. */
export class Upload {
  constructor(
    /** As the client sent it; empty for none. */
    readonly content_type: string,
    /** As a form names it; null where the bytes are the body. */
    readonly file_name: string | null,
    readonly bytes: Spooled,
  ) {}
}

/** Whether the body lies in a spool. */
export const isSpooled = (body: unknown): boolean => body instanceof Upload || body instanceof Spooled;

/** Takes bodies of any type on the routes that `isUpload` names. They become an `Upload`. Throws a Problem 413 beyond 20 MiB. */
export function takeUploads(
  server: FastifyInstance,
  isUpload: (route: string | undefined) => boolean,
  spool: BodySpool,
): void {
  const types = new WeakMap<FastifyRequest, string>();
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (isUpload(request.routeOptions.url) && request.method === 'POST') {
      types.set(request, request.headers['content-type'] ?? '');
      request.headers['content-type'] = BYTES;
    }
    done(null, payload);
  });
  server.addContentTypeParser(BYTES, async (request: FastifyRequest, payload: Readable) => {
    const type = types.get(request)!;
    if (!FORM.test(type)) return new Upload(type, null, await spool.take(request, payload, LARGEST_FILE));
    const { file, taken } = await fileOfForm(type, payload, (bytes) =>
      spool.take(request, bytes, LARGEST_FILE, ROOM_OF_FORM),
    );
    return new Upload(file.content_type, file.file_name, taken);
  });
}
