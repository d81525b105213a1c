import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExpectedVersion } from '#kernel/context.js';
import { etagOf, namesTag, readIfMatch } from './etag.js';

/** The ETags of answers: beside them, as they are no part of the JSON. */
const etags = new WeakMap<object, string>();

/** Notes the version of the record that an answer shows, of which its ETag is made. */
export function atVersion<Body extends object>(body: Body, version: number): Body {
  etags.set(body, etagOf(version));
  return body;
}

/** The row without `stream_version`, which becomes the answer's version. */
export function versionedRow<Body extends object>(row: Body & { stream_version: number }): Body {
  const { stream_version, ...body } = row;
  return atVersion(body as unknown as Body, stream_version);
}

const TAKES_IF_MATCH = 'takes-if-match';

/**
 * Route decorator: answers made by `atVersion` have an `ETag`. A PATCH takes `If-Match`, and so does another write with
 * `ifMatch`.
 */
export const Versioned = ({ ifMatch = false } = {}) =>
  applyDecorators(ApiExtension('x-versioned', { if_match: ifMatch }), SetMetadata(TAKES_IF_MATCH, ifMatch));

/**
 * The versions that a request's `If-Match` admits, checked where the change is decided; undefined on routes that take none.
 */
export function expectedBy(ifMatch: string, method: string, route: object): ExpectedVersion | undefined {
  const takes = method === 'PATCH' || Reflect.getMetadata(TAKES_IF_MATCH, route) === true;
  return takes ? readIfMatch(ifMatch) : undefined;
}

/**
 * Gives every answer from `atVersion` its ETag. A hook, since an interceptor would cost each request more than all of this.
 */
export function tagAnswers(server: FastifyInstance): void {
  server.addHook('preSerialization', (request, reply, payload, done) => {
    tag(payload, request, reply);
    done(null, payload);
  });
}

/** Sets the ETag of a body from `atVersion`. A GET with this tag in `If-None-Match` becomes a 304 without a body. */
export function tag(body: unknown, { method, headers }: FastifyRequest, reply: FastifyReply): void {
  const etag = typeof body === 'object' && body !== null ? etags.get(body) : undefined;
  if (etag === undefined) return;
  void reply.header('etag', etag);
  const known = headers['if-none-match'];
  if (known !== undefined && (method === 'GET' || method === 'HEAD') && namesTag(known, etag))
    void reply.status(304);
}
