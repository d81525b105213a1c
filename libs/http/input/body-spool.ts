import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, Problem, toProblem } from '../problems/problem.js';
import { NoRoom, Spool, type Spooled, TooManyBytes } from './spool.js';

/** Seconds after which a body that found no room may be sent again. */
const RETRY_AFTER = '30';

/** Takes bodies into a spool, where they are until the request is answered or given up. */
export class BodySpool {
  private readonly spool: Spool;
  private readonly answers = new WeakMap<FastifyRequest, ServerResponse>();

  constructor(server: FastifyInstance, folder: string) {
    this.spool = new Spool(folder);
    server.addHook('onReady', () => this.spool.removeLeftovers());
    server.addHook('preParsing', (request, reply, payload, done) => {
      this.answers.set(request, reply.raw);
      done(null, payload);
    });
  }

  /**
   * Reads the stream, which is the request's body or a part of it, with `around` bytes of others at most. Throws a Problem: 413 beyond
   * `most` bytes, 400 when it breaks off, 503 when there is no room.
   */
  async take(request: FastifyRequest, stream: Readable, most: number, around = 0): Promise<Spooled> {
    if (Number(request.headers['content-length'] ?? 0) > most + around) throw tooLarge();
    const taking = this.spool.take(stream.iterator({ destroyOnReturn: false }), most);
    this.answers.get(request)!.once('close', () => {
      stream.destroy();
      taking.then((bytes) => bytes.remove()).catch(() => {});
    });
    try {
      return await taking;
    } catch (error) {
      throw refusal(error);
    }
  }
}

function refusal(error: unknown): Problem {
  if (error instanceof TooManyBytes) return tooLarge();
  if (error instanceof NoRoom)
    return new Problem(503, 'unavailable', `${error.message} Send it again.`, {
      headers: { 'Retry-After': RETRY_AFTER },
    });
  return invalid([{ field: 'body', detail: 'broke off before its end' }]);
}

const tooLarge = () => toProblem({ statusCode: 413 });
