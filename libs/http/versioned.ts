import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExpectedVersion } from '#kernel/context.js';
import { etagOf, namesVersion, readIfMatch } from './etag.js';

const VERSION = Symbol('version');

/** The record as it is answered, with the version of its stream, of which its ETag is made. */
export const atVersion = <Body extends object>(body: Body, version: number): Body =>
  // Not enumerable: it goes along with the answer and is no part of it.
  Object.defineProperty(body, VERSION, { value: version });

/** The row as it is answered, its `stream_version` kept as its version. */
export function versionedRow<Body extends object>(row: Body & { stream_version: number }): Body {
  const { stream_version, ...body } = row;
  return atVersion(body as unknown as Body, stream_version);
}

const TAKES_IF_MATCH = 'takes-if-match';

/** Route decorator: the answer, made by `atVersion`, bears an `ETag`. A PATCH, and with `ifMatch` another write, takes `If-Match`. */
export const Versioned = ({ ifMatch = false } = {}) =>
  applyDecorators(ApiExtension('x-versioned', { if_match: ifMatch }), SetMetadata(TAKES_IF_MATCH, ifMatch));

/** The versions that a request's `If-Match` admits, to be checked where the change is decided; undefined on routes that take none. */
export function expectedBy(ifMatch: string, method: string, route: object): ExpectedVersion | undefined {
  const takes = method === 'PATCH' || Reflect.getMetadata(TAKES_IF_MATCH, route) === true;
  return takes ? readIfMatch(ifMatch) : undefined;
}

/** Gives every answer that is `atVersion` its ETag. A hook: an interceptor would cost each request more than all of this. */
export function tagAnswers(server: FastifyInstance): void {
  server.addHook('preSerialization', (request, reply, payload, done) => {
    tag(payload, request, reply);
    done(null, payload);
  });
}

/** Sets the ETag of a body that is `atVersion`; a GET whose `If-None-Match` names it becomes a 304, which has no body. */
export function tag(body: unknown, { method, headers }: FastifyRequest, reply: FastifyReply): void {
  const version = (body as { [VERSION]?: number } | null)?.[VERSION];
  if (version === undefined) return;
  void reply.header('etag', etagOf(version));
  const known = headers['if-none-match'];
  if (known !== undefined && (method === 'GET' || method === 'HEAD') && namesVersion(known, version))
    void reply.status(304);
}
