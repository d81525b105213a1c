import { randomUUID } from 'node:crypto';
import { METHODS, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isPrivate, PRIVATE } from '../private-answers.js';
import { bodyOf, Problem, toProblem } from './problem.js';

const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

const LONGEST_WAIT_MS = 10_000;
const CLOSING_MS = 1_000;

/** Answers every error as problem details, whether a controller threw it or Fastify did before. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerProblem(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblem(error);
  // A `Problem` is thrown on purpose and needs no log; other errors are found by the request id.
  if (problem.status >= 500 && !(error instanceof Problem))
    request.log.error({ err: error, request_id: request.id }, 'request failed');
  const answer = () =>
    void reply
      .status(problem.status)
      .headers(problem.extras.headers ?? {})
      // Set here, too, for errors before any hook, such as a path that cannot be decoded.
      .header('x-request-id', request.id)
      .headers(isPrivate(request) ? { 'cache-control': PRIVATE } : {})
      .header('content-type', PROBLEM_JSON)
      .send(JSON.stringify(bodyOf(problem, request)));
  if (problem.status === 413) afterBody(request, answer);
  else answer();
}

/**
 * Answers when the body has arrived: a client still writing it would see the connection closed and no answer. A body that
 * does not end is cut off.
 */
function afterBody({ raw }: FastifyRequest, answer: () => void): void {
  const timer = setTimeout(() => raw.destroy(), LONGEST_WAIT_MS);
  finished(raw, () => {
    clearTimeout(timer);
    answer();
  });
  raw.resume();
}

/** Answers what Node's parser refuses before there is a request, and closes the socket. */
export function answerClientError({ code }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return;
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code ?? ''] ?? 400;
  const id = randomUUID();
  const problem =
    status === 400
      ? new Problem(400, 'validation_failed', 'The request is not HTTP as it should be.')
      : toProblem({ statusCode: status, message: STATUS_CODES[status] });
  const body = JSON.stringify(bodyOf(problem, { id, url: '/' }));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${PROBLEM_JSON}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // The other side may never close its half. A moment, since a reset would take the answer back.
  setTimeout(() => socket.destroy(), CLOSING_MS).unref();
}

/** Refuses a request without a Host header, or with several, as RFC 9112 (3.2) demands. */
export function refuseWithoutOneHost(server: FastifyInstance): void {
  const headers = { Connection: 'close' };
  const none = new Problem(400, 'validation_failed', 'The request lacks its Host header.', { headers });
  const several = new Problem(400, 'validation_failed', 'The request has more than one Host header.', {
    headers,
  });
  server.addHook('onRequest', (request, reply, done) => {
    const { rawHeaders, httpVersion } = request.raw;
    const hosts = countHosts(rawHeaders);
    if (hosts > 1) answerProblem(several, request, reply);
    else if (hosts === 0 && httpVersion === '1.1') answerProblem(none, request, reply);
    else done();
  });
}

/** Of several, `headers` has the first alone. */
function countHosts(namesAndValues: string[]): number {
  let hosts = 0;
  for (let at = 0; at < namesAndValues.length; at += 2)
    if (namesAndValues[at]!.toLowerCase() === 'host') hosts++;
  return hosts;
}

/** Ignores expectations other than `100-continue`, which RFC 9110, 10.1.1 allows: Node's own 417 has no request id. */
export function ignoreExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Paths that we answer ourselves; Swagger UI and the queues' pages answer the others. */
const OURS = /^[/]((api|admin|hooks|health|l|u)[/]|(openapi[.](json|yaml)|metrics|docs|console[/]session)?$)/;

/** Answers 405 with `Allow` for wrong methods on known paths. Call `complete` when all routes are registered. */
export function refuseWrongMethods(server: FastifyInstance): { complete: () => void } {
  // Fastify answers 404, not 405, for methods that it does not know.
  const strange = METHODS.filter((method) => !server.supportedMethods.includes(method));
  for (const method of strange) server.addHttpMethod(method);
  const methodsByUrl = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByUrl.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    methodsByUrl.set(url, methods);
  });
  return {
    complete() {
      for (const [url, known] of [...methodsByUrl]) {
        const missing = server.supportedMethods.filter((method) => !known.has(method));
        const allow = [...known].join(', ');
        if (missing.length === 0 || !OURS.test(url)) continue;
        server.route({
          method: missing,
          url,
          // Before the body is read, which does not matter to a method that is not there.
          onRequest: (request, _reply, done) =>
            done(
              new Problem(405, 'method_not_allowed', `${request.method} is not possible here; ${allow} is.`, {
                headers: { Allow: allow },
              }),
            ),
          handler: () => null,
        });
      }
    },
  };
}
