import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance } from 'fastify';

/** Bytes that are worth it. */
const LEAST = 1024;

const COMPRESSED = /^(?:application\/(?:[\w.-]+\+)?json|text\/csv)\b/i;

/** Higher qualities of brotli save another tenth, for three times the work. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const ENCODERS: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** Compresses JSON and CSV of more than a KiB for clients that take it (contract, section 11). */
export function compressAnswers(server: FastifyInstance): void {
  const encodings = Object.keys(ENCODERS);
  server.addHook('onSend', (request, reply, payload, done) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (typeof payload !== 'string' || payload.length <= LEAST || !COMPRESSED.test(type))
      return done(null, payload);
    const vary = [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', ');
    void reply.header('vary', vary);
    const accepted = request.headers['accept-encoding'];
    const encoding = typeof accepted === 'string' ? negotiate(accepted, encodings) : null;
    if (encoding === null) return done(null, payload);
    void reply.header('content-encoding', encoding);
    ENCODERS[encoding]!(Buffer.from(payload)).then((bytes) => done(null, bytes), done);
  });
}
