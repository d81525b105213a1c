import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { FORM_TYPES, FormBody } from './form-body.js';
import { requireModestJson } from './json-size.js';
import { takeUploads } from './upload.js';
import { encoded, invalid, notJson, notOf, type Problem } from '../problems/problem.js';

/** The largest body in bytes, a mail apart. */
export const LARGEST_BODY = 2 * 1024 * 1024;
/** The same for a mail, which contains its attachments. */
export const LARGEST_MAIL = 25 * 1024 * 1024;
/** Methods whose requests may have a body. */
export const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const JSON_TYPE = /^\s*application\/json\s*(;|$)/i;
/** The doors that take no JSON, with what they take instead: there even malformed JSON is the wrong media type. */
const INSTEAD_OF_JSON = new Map([
  ['/hooks/v1/channels/:channel_id/email', 'message/rfc822'],
  ['/hooks/v1/channels/:channel_id/twilio', 'application/x-www-form-urlencoded'],
]);
/** Takes files of any type. */
const UPLOADS = '/api/v2/organizations/:organization_id/files';
const TAKE_FORMS = /^\/hooks\//;
/** The pages for recipients: the path says everything, and nobody is told of a media type. */
const UNREAD = /^\/u\//;
const UNREAD_TYPE = 'application/x-unread';
const PLAIN = ['', 'identity'];

/**
 * Accepts JSON in UTF-8 up to 2 MiB everywhere, mails and forms at the provider doors only, and files where they are uploaded, kept in
 * the folder meanwhile. Anything else, or compressed, is 415. The pages for recipients read no body, whatever it is.
 */
export function readBodies(app: NestFastifyApplication, uploadFolder: string): void {
  const server = app.getHttpAdapter().getInstance();
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
  server.addContentTypeParser(
    'message/rfc822',
    { parseAs: 'buffer', bodyLimit: LARGEST_MAIL },
    (_request, body, done) => done(null, body),
  );
  for (const type of FORM_TYPES)
    app.useBodyParser(type, { bodyLimit: LARGEST_BODY }, (request, body, done) =>
      done(null, new FormBody((request as FastifyRequest).headers['content-type']!, body)),
    );
  server.addContentTypeParser(UNREAD_TYPE, (_request, _payload, done) => done(null));
  // Runs after keys and methods are checked and before the body is read.
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const route = request.routeOptions.url;
    const type = request.headers['content-type'];
    if (route === undefined || !WITH_BODY.has(request.method)) return done(null, payload);
    if (UNREAD.test(route)) {
      request.headers['content-type'] = UNREAD_TYPE;
      return done(null, payload);
    }
    const encoding = request.headers['content-encoding']?.toLowerCase() ?? '';
    if (!PLAIN.includes(encoding)) return done(encoded(), payload);
    if (type === undefined || route === UPLOADS) return done(null, payload);
    const other = INSTEAD_OF_JSON.get(route);
    if (JSON_TYPE.test(type)) return done(other === undefined ? null : notOf(other), payload);
    done(TAKE_FORMS.test(route) ? null : notJson(), payload);
  });
  takeUploads(server, (route) => route === UPLOADS, uploadFolder);
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
