import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, type NestInterceptor, RequestMethod } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import type { FastifyReply } from 'fastify';
import { firstValueFrom, from, type Observable } from 'rxjs';
import type { Database } from '#database/database.js';
import type { Transaction } from '#database/statements/statement.js';
import type { ApiRequest } from '../access/caller.js';
import { beginRequest, keepAnswer, type RequestIdentity, type StoredAnswer } from './idempotency.queries.js';
import { asksOthers, type KeptAnswer, KeptAnswers, type Sealer } from './kept-answer.js';
import { canonicalJson } from './canonical-json.js';
import { invalid, Problem } from '../problems/problem.js';
import type { Route } from '../routes.js';
import { tag } from '../versions/versioned.js';

const KEY = /^[\x20-\x7e]{1,255}$/;
/** Headers that belong to the answer and not to the connection. */
const KEPT_HEADERS = ['etag', 'location'];
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Carries out a request with an `Idempotency-Key` only once. Its changes and its answer are one transaction: a crash leaves
 * both or neither, and a repeat finds the answer. Only success is kept: a refused request has changed nothing and may be
 * repeated.
 */
class Idempotency implements NestInterceptor {
  /** Requests that are carried out here outside of a transaction. */
  private readonly running = new Set<string>();
  private readonly asksOthers: boolean;
  private readonly answers: KeptAnswers;

  constructor(
    private readonly database: Database,
    route: object,
    sealer: Sealer,
  ) {
    this.asksOthers = asksOthers(route);
    this.answers = new KeptAnswers(route, sealer);
  }

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const key = request.headers['idempotency-key'];
    if (key === undefined) return next.handle();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    return from(this.once(key, request, reply, next));
  }

  private async once(
    key: string | string[],
    request: ApiRequest,
    reply: FastifyReply,
    next: CallHandler,
  ): Promise<string | undefined> {
    const identity = identityOf(key, request);
    const carryOut = () => answerOf(request, reply, next);
    const body = await (this.asksOthers
      ? this.onceOutside(identity, reply, carryOut)
      : this.onceInside(identity, reply, carryOut));
    if (body === '') return undefined;
    void reply.header('content-type', JSON_TYPE);
    return body;
  }

  private onceInside(
    identity: RequestIdentity,
    reply: FastifyReply,
    carryOut: () => Promise<KeptAnswer>,
  ): Promise<string> {
    return this.database.unitOfWork(async (tx) => {
      const known = await this.replayed(tx, identity, reply);
      return known ?? this.keep(tx, identity, await carryOut());
    });
  }

  private async onceOutside(
    identity: RequestIdentity,
    reply: FastifyReply,
    carryOut: () => Promise<KeptAnswer>,
  ): Promise<string> {
    if (this.running.has(identity.id)) throw inProgress();
    this.running.add(identity.id);
    try {
      const known = await this.database.unitOfWork((tx) => this.replayed(tx, identity, reply));
      if (known !== undefined) return known;
      const answer = await carryOut();
      return await this.database.unitOfWork((tx) => this.keep(tx, identity, answer));
    } finally {
      this.running.delete(identity.id);
    }
  }

  /** The body of the answer that is known; undefined when the request is to be carried out. */
  private async replayed(
    tx: Transaction,
    identity: RequestIdentity,
    reply: FastifyReply,
  ): Promise<string | undefined> {
    const { alone, answer } = await beginRequest(tx, identity);
    if (answer) return replay(answer, identity, reply, this.answers);
    if (!alone) throw inProgress();
    return undefined;
  }

  /** Gives the body. */
  private async keep(tx: Transaction, identity: RequestIdentity, answer: KeptAnswer): Promise<string> {
    await keepAnswer(tx, identity, this.answers.write(answer, identity.id));
    return answer.body;
  }
}

async function answerOf(request: ApiRequest, reply: FastifyReply, next: CallHandler): Promise<KeptAnswer> {
  const result: unknown = await firstValueFrom(next.handle());
  tag(result, request, reply);
  const body = result === undefined ? '' : JSON.stringify(result);
  const kept = KEPT_HEADERS.filter((name) => reply.hasHeader(name));
  const headers = Object.fromEntries(kept.map((name) => [name, String(reply.getHeader(name))]));
  return { status: reply.statusCode, headers, body };
}

function replay(
  stored: StoredAnswer,
  { id, fingerprint }: RequestIdentity,
  reply: FastifyReply,
  answers: KeptAnswers,
): string {
  if (stored.fingerprint !== fingerprint)
    throw new Problem(
      422,
      'idempotency_key_reused',
      'Idempotency-Key: it was used for a request with another body; use a new key for a new request.',
    );
  const answer = answers.read(stored, id);
  void reply.status(answer.status).headers(answer.headers).header('idempotency-replayed', 'true');
  return answer.body;
}

const inProgress = (): Problem =>
  new Problem(
    409,
    'idempotency_in_progress',
    'Idempotency-Key: the first request with this key is still running; repeat it in a moment.',
    { headers: { 'Retry-After': '1' } },
  );

/** Scoped to API key, method and path. The body counts as JSON: white space and the order of fields do not matter. */
function identityOf(key: string | string[], request: ApiRequest): RequestIdentity {
  if (typeof key !== 'string' || !KEY.test(key))
    throw invalid([{ field: 'Idempotency-Key', detail: 'must be 1 to 255 printable ASCII characters' }]);
  const { caller, method, routeOptions, params, query, body } = request;
  // Route and parameters instead of the path, which can be written in more than one way.
  return {
    organizationId: params['organization_id'] ?? '',
    id: hash([caller?.keyId ?? '', method, routeOptions.url ?? '', params, key]),
    fingerprint: hash([query, body ?? null]),
  };
}

const hash = (parts: unknown[]): string => createHash('sha256').update(canonicalJson(parts)).digest('hex');

/**
 * Lets every POST and PATCH below /api take an `Idempotency-Key`. Not `APP_INTERCEPTOR`: one that only passes a request on
 * costs each read an eighth of its rate.
 */
export function takeIdempotencyKeys(routes: Route[], database: Database, sealer: Sealer): void {
  for (const { handler, controllerPath, method } of routes) {
    if (!controllerPath.startsWith('api/')) continue;
    if (method !== RequestMethod.POST && method !== RequestMethod.PATCH) continue;
    const others = (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as unknown[];
    // The outermost, so that the stored answer includes what other interceptors do to it.
    Reflect.defineMetadata(
      INTERCEPTORS_METADATA,
      [new Idempotency(database, handler, sealer), ...others],
      handler,
    );
  }
}
