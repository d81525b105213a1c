import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { now, secondsOf } from '#kernel/instant.js';
import { invalid, Problem, toProblem } from '../problems/problem.js';
import { fileOfForm } from './form-file.js';

/** The largest upload in bytes. */
export const LARGEST_FILE = 20 * 1024 * 1024;
/** Bytes that a form may have around its file. */
const ROOM_OF_FORM = 64 * 1024;
const FORM = /^\s*multipart\/form-data\s*(?:;|$)/i;
/** Longer than any request takes. */
const LEFT_SECONDS = 60 * 60;
/** The only type with this parser: an upload's own type says nothing of how to read it. */
const BYTES = 'application/octet-stream';

/** A body of any type, or the file that a form holds, in a file of ours. As JSON it tells one upload from another, but not where it lies. */
export class Upload {
  readonly #path: string;

  constructor(
    /** As the client sent it; empty for none. */
    readonly content_type: string,
    /** Bytes. */
    readonly size: number,
    readonly sha256: string,
    /** As a form names it; null where the bytes are the body. */
    readonly file_name: string | null,
    path: string,
  ) {
    this.#path = path;
  }

  /** Where the bytes are until the request is answered. */
  get path(): string {
    return this.#path;
  }
}

/**
 * Takes bodies of any type on the routes that `isUpload` names, piece by piece into files of the folder, so that a large one
 * needs no more memory than a small one. They become an `Upload`. Throws a Problem 413 beyond 20 MiB.
 */
export function takeUploads(
  server: FastifyInstance,
  isUpload: (route: string | undefined) => boolean,
  folder: string,
): void {
  server.addHook('onReady', () => removeLeftovers(folder));
  const coming = new WeakMap<FastifyRequest, { type: string; path: string }>();
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (isUpload(request.routeOptions.url) && request.method === 'POST') {
      const path = join(folder, randomUUID());
      coming.set(request, { type: request.headers['content-type'] ?? '', path });
      request.headers['content-type'] = BYTES;
      reply.raw.once('close', () => void rm(path, { force: true }).catch(() => {}));
    }
    done(null, payload);
  });
  server.addContentTypeParser(BYTES, async (request: FastifyRequest, payload: Readable) => {
    const { type, path } = coming.get(request)!;
    const most = LARGEST_FILE + (FORM.test(type) ? ROOM_OF_FORM : 0);
    if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!FORM.test(type)) {
      const { size, sha256 } = await written(payload, path);
      return new Upload(type, size, sha256, null, path);
    }
    const { file, taken } = await fileOfForm(type, payload, (bytes) => written(bytes, path));
    return new Upload(file.content_type, taken.size, taken.sha256, file.file_name, path);
  });
}

/** What was coming when a process ended at once. Other processes that share the folder may be at younger ones. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const path of names.map((name) => join(folder, name))) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs / 1_000 < secondsOf(now()) - LEFT_SECONDS) await rm(path, { force: true });
  }
}

/** Writes the stream to a new file. One that is too large is left for the answer to end. */
async function written(stream: Readable, path: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > LARGEST_FILE) throw tooLarge();
      hash.update(chunk);
      await file.appendFile(chunk);
    }
  } catch (error) {
    throw error instanceof Problem ? error : brokenOff();
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest('hex') };
}

const tooLarge = () => toProblem({ statusCode: 413 });

const brokenOff = () => invalid([{ field: 'body', detail: 'broke off before its end' }]);
