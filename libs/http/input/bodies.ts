import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { BodySpool } from './body-spool.js';
import { FORM_TYPES, FormBody } from './form-body.js';
import { requireModestJson } from './json-size.js';
import { takeUploads } from './upload.js';
import { QUEUES_PATH } from '../access/key-guard.js';
import { encoded, invalid, notJson, type Problem } from '../problems/problem.js';

/** The largest body in bytes, a mail apart. */
export const LARGEST_BODY = 2 * 1024 * 1024;
/** The same for a mail, which contains its attachments. */
export const LARGEST_MAIL = 25 * 1024 * 1024;
/** Methods whose requests may have a body. */
export const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const JSON_TYPE = /^\s*application\/json\s*(;|$)/i;
const FORM_TYPE = new RegExp(`^\\s*(?:${FORM_TYPES.join('|')})\\s*(;|$)`, 'i');
const MAIL_TYPE = 'message/rfc822';
/** Given to bodies that nobody reads: the only type with this parser. */
const UNREAD = 'application/x-unread';

/** Takes mails, whatever type they are said to be of. */
const MAILS = '/hooks/v1/channels/:channel_id/email';
/** Takes forms alone, and says itself what else it does not take, once it knows the channel. */
const TEXTS = '/hooks/v1/channels/:channel_id/twilio';
/** Takes files of any type. */
const UPLOADS = '/api/v2/organizations/:organization_id/files';
const TAKES_FORMS = /^\/hooks\//;
/** Pages for recipients, whose links say everything, and those of the queues, which change nothing. */
const READS_NOTHING = new RegExp(`^(?:/u/|${QUEUES_PATH}/)`);
const PLAIN = ['', 'identity'];

/**
 * Accepts JSON in UTF-8 up to 2 MiB everywhere, forms at the provider doors too, mails at theirs, and files where they are uploaded; large ones of
 * these are in the folder meanwhile. Anything else, or compressed, is 415. What no route takes is not read: its answer is its 404.
 */
export function readBodies(app: NestFastifyApplication, spoolFolder: string): void {
  const server = app.getHttpAdapter().getInstance();
  const spool = new BodySpool(server, spoolFolder);
  const parse = server.getDefaultJsonParser('error', 'error');
  app.useBodyParser('application/json', { bodyLimit: LARGEST_BODY }, (request, body, done) => {
    // Many clients send this type with every request, even without a body.
    if (body.length === 0) return done(null, undefined);
    requireModestJson(body);
    const text = decoded(body);
    void parse(request as FastifyRequest, text, (error, value) =>
      done(error && (forbiddenName(text) ?? error), value),
    );
  });
  server.removeContentTypeParser('text/plain');
  server.addContentTypeParser(MAIL_TYPE, (request: FastifyRequest, payload: Readable) =>
    spool.take(request, payload, LARGEST_MAIL),
  );
  for (const type of FORM_TYPES)
    app.useBodyParser(type, { bodyLimit: LARGEST_BODY }, (request, body, done) =>
      done(null, new FormBody((request as FastifyRequest).headers['content-type']!, body)),
    );
  server.addContentTypeParser(UNREAD, (_request, payload, done) => {
    payload.resume();
    done(null, undefined);
  });
  // Runs after keys and methods are checked and before the body is read.
  server.addHook('preParsing', (request, _reply, payload, done) => done(readAs(request), payload));
  takeUploads(server, (route) => route === UPLOADS, spool);
}

/** Has the body read as its route takes it, whatever it is said to be; gives the refusal of what the route does not take. */
function readAs({ routeOptions: { url: route }, method, headers }: FastifyRequest): Problem | null {
  if (route === undefined || READS_NOTHING.test(route)) {
    headers['content-type'] = UNREAD;
    return null;
  }
  if (!WITH_BODY.has(method)) return null;
  if (!PLAIN.includes(headers['content-encoding']?.toLowerCase() ?? '')) return encoded();
  const type = headers['content-type'];
  if (route === MAILS) headers['content-type'] = MAIL_TYPE;
  else if (route === TEXTS) headers['content-type'] = FORM_TYPE.test(type ?? '') ? type : UNREAD;
  else if (type !== undefined && route !== UPLOADS && !JSON_TYPE.test(type))
    return TAKES_FORMS.test(route) && FORM_TYPE.test(type) ? null : notJson();
  return null;
}

/** The answer for JSON that the parser refused because it could change the prototype of objects; null if it is no JSON. */
function forbiddenName(text: string): Problem | null {
  try {
    const isProto = JSON.stringify(JSON.parse(text)).includes('"__proto__":');
    const field = isProto ? '__proto__' : 'constructor.prototype';
    return invalid([{ field, detail: 'is a name that no field may have' }]);
  } catch {
    return null;
  }
}

/** Refuses bytes that are not UTF-8: read as U+FFFD they would lose what the caller meant. */
function decoded(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw invalid([{ field: 'body', detail: 'must be UTF-8' }]);
  }
}
