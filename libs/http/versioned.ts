import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import type { ParleyRequest } from './caller.js';
import { etagOf, namesVersion, readIfMatch } from './etag.js';

const VERSION = Symbol('version');

/** The record as it is answered, with the version of its stream, of which `Versioned` routes make the ETag. */
export const atVersion = <Body extends object>(body: Body, version: number): Body =>
  // Not enumerable: it goes along with the answer and is no part of it.
  Object.defineProperty(body, VERSION, { value: version });

/** The row as it is answered, its `stream_version` kept as its version. */
export function versionedRow<Body extends object>(row: Body & { stream_version: number }): Body {
  const { stream_version, ...body } = row;
  return atVersion(body as unknown as Body, stream_version);
}

/**
 * Route decorator: the answer, made by `atVersion`, bears an `ETag`. A GET answers 304 to an `If-None-Match` that names
 * it. A PATCH, and with `ifMatch` another write, hands its `If-Match` on in the context, to be checked where it decides.
 */
export const Versioned = ({ ifMatch = false } = {}) =>
  applyDecorators(
    UseInterceptors(new VersionInterceptor(ifMatch)),
    ApiExtension('x-versioned', { if_match: ifMatch }),
  );

class VersionInterceptor implements NestInterceptor {
  constructor(private readonly takesIfMatch: boolean) {}

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = host.switchToHttp();
    const request = http.getRequest<ParleyRequest>();
    const expected = request.headers['if-match'];
    if (expected !== undefined && (this.takesIfMatch || request.method === 'PATCH'))
      request.expected = readIfMatch(expected);
    return next.handle().pipe(map((body) => tagged(body as object, request, http.getResponse())));
  }
}

function tagged(body: object, { method, headers }: ParleyRequest, reply: FastifyReply): object | undefined {
  const version = (body as { [VERSION]?: number })[VERSION];
  if (version === undefined) return body;
  void reply.header('etag', etagOf(version));
  const known = headers['if-none-match'];
  if (known === undefined || (method !== 'GET' && method !== 'HEAD') || !namesVersion(known, version))
    return body;
  void reply.status(304);
  return undefined;
}
