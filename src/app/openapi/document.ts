import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { TITLE, VERSION } from '#config/product.js';
import { SESSION_COOKIE } from '#http/access/session.js';
import { describeBodies } from './bodies.js';
import { describeDocumentation } from './documentation.js';
import { describeExamples } from './examples.js';
import { describeTerms } from './terms.js';
import { describeFailures, describeHeaders } from './headers.js';
import { describeIntegers } from './integers.js';
import { describePathParameters } from './path-parameters.js';
import { describeProblems } from './problems.js';
import { foldProblems } from './responses.js';

const DESCRIPTION = `A sales and conversation workspace: contacts and companies, conversations over e-mail, text, call,
live chat and form, drafts that are delivered and become messages, sales in a pipeline, tasks, and an audit log.

Send your API key in the header \`X-API-KEY\`; operators of the service send theirs to \`/admin\` in \`X-ADMIN-KEY\`. A browser
may sign in with either and send the cookie of its session instead, always beside \`X-Parley-Console: 1\`. Errors are
RFC 9457 problem details. Instants are RFC 3339 in UTC with microseconds. Lists are paged by cursor, newest first.

With an \`Idempotency-Key\` a POST or PATCH is carried out once, however often it is sent. A change with the \`ETag\` you have read in
\`If-Match\` overwrites nobody else's. \`RateLimit\` tells what a key may still ask for, and 429 with \`Retry-After\` when to go on. Each answer bears an
\`X-Request-Id\`, yours if you send one, under which logs and audit records have it.`;

/** Of the API, by which its paths are named; `x-release` is the version of the product that serves it. */
const API_VERSION = '2.0.0';

/** The OpenAPI 3.1 document of all surfaces, from the controllers, the DTOs, and `extraModels`, which no route uses. */
export function openApiDocument(
  app: NestFastifyApplication,
  publicUrl: string,
  extraModels: (new () => object)[],
): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(TITLE)
    .setVersion(API_VERSION)
    .setDescription(DESCRIPTION)
    // Wherever the document is read from: another name of the same host is another origin to a browser.
    .addServer('/')
    .addServer(publicUrl)
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'Key of an integration.' },
      'api-key',
    )
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'X-ADMIN-KEY',
        description: 'Key of the operators, PARLEY_ADMIN_KEY.',
      },
      'admin-key',
    )
    .addApiKey(
      { type: 'apiKey', in: 'query', name: 'token', description: 'Token of a channel, in its inbound URLs.' },
      'hook-token',
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-Twilio-Signature', description: 'Made by Twilio.' },
      'twilio-signature',
    )
    .addApiKey(
      {
        type: 'apiKey',
        in: 'cookie',
        name: SESSION_COOKIE,
        description:
          'Session of a browser, beside the header `X-Parley-Console: 1`. On https: `__Host-parley_session`.',
      },
      'console-session',
    )
    .build();
  // Marked as public: integrators use it, and there is no separate internal server.
  config.servers!.forEach((server) => Object.assign(server, { 'x-internal': false }));
  const document = SwaggerModule.createDocument(app, config, {
    extraModels,
    autoTagControllers: false,
    operationIdFactory: (controller, method) =>
      `${controller.replace(/Controller$/, '').replace(/^./, (c) => c.toLowerCase())}_${method}`,
  });
  Object.assign(document.info, { 'x-release': VERSION });
  for (const describe of [
    describeDocumentation,
    describePathParameters,
    describeTerms,
    describeBodies,
    describeHeaders,
    describeFailures,
    describeProblems,
    describeExamples,
    foldProblems,
  ])
    describe(document);
  return describeIntegers(document);
}
