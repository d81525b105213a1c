import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { describeBodies } from './bodies.js';
import { describeDocumentation } from './documentation.js';
import { describeExamples } from './examples.js';
import { describeTerms, type Glossary } from './terms.js';
import { describeFailures, describeHeaders } from './headers.js';
import { describeIntegers } from './integers.js';
import { describeProblems } from './problems.js';
import { foldProblems } from './responses.js';

/** What a product says of its API. */
export interface AboutApi {
  title: string;
  version: string;
  description: string;
  /** What the key of operators is and where it is set. */
  operatorKey: string;
  glossary: Glossary;
}

/** The OpenAPI 3.1 document of all surfaces, from the controllers, the DTOs, and `extraModels`, which no route uses. */
export function openApiDocument(
  app: NestFastifyApplication,
  publicUrl: string,
  about: AboutApi,
  extraModels: (new () => object)[],
): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(about.title)
    .setVersion(about.version)
    .setDescription(about.description)
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
        description: about.operatorKey,
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
    .build();
  // Marked as public: integrators use it, and there is no separate internal server.
  config.servers!.forEach((server) => Object.assign(server, { 'x-internal': false }));
  const document = SwaggerModule.createDocument(app, config, {
    extraModels,
    autoTagControllers: false,
    operationIdFactory: (controller, method) =>
      `${controller.replace(/Controller$/, '').replace(/^./, (c) => c.toLowerCase())}_${method}`,
  });
  describeDocumentation(document);
  describeTerms(document, about.glossary);
  for (const describe of [
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
