import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import compress from '@fastify/compress';
import files from '@fastify/static';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { answerProblem } from '#http/problems/errors.js';
import { DOCS_POLICY, DOCS_SCRIPT, docsPage } from './docs-page.js';
import { HOME_PAGE, HOME_POLICY } from './home-page.js';
import type { ExampleValues } from './example-values.js';
import { DocumentTexts } from './document-texts.js';

const SWAGGER_UI = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** Serves the document as JSON, as YAML and by Swagger UI, and the page that leads there, all compressed. */
export async function serveDocs(
  server: FastifyInstance,
  document: () => OpenAPIObject,
  examples: ExampleValues,
): Promise<void> {
  const texts = new DocumentTexts(document, examples);
  await server.register(async (scope) => {
    // Nest's own is for its routes.
    scope.setErrorHandler(answerProblem);
    await scope.register(compress, { encodings: ['br', 'gzip'] });
    await scope.register(files, { root: SWAGGER_UI, serve: false });
    scope.get('/openapi.json', async (_request, reply) => reply.type(JSON_TYPE).send(await texts.json()));
    scope.get('/openapi.yaml', async (_request, reply) => reply.type(YAML).send(await texts.yaml()));
    scope.get('/docs/openapi.json', async (_request, reply) =>
      reply.type(JSON_TYPE).send(await texts.shown()),
    );
    scope.get('/docs', (request, reply) => {
      const isFolder = new URL(request.url, 'http://localhost').pathname.endsWith('/');
      return reply
        .type(HTML)
        .header(POLICY, DOCS_POLICY)
        .send(docsPage(isFolder ? '.' : './docs'));
    });
    scope.get('/docs/swagger-ui-init.js', (_request, reply) => reply.type(SCRIPT).send(DOCS_SCRIPT));
    for (const name of ASSETS) scope.get(`/docs/${name}`, (_request, reply) => reply.sendFile(name));
    scope.get('/', (_request, reply) => reply.type(HTML).header(POLICY, HOME_POLICY).send(HOME_PAGE));
  });
}

const POLICY = 'content-security-policy';
const JSON_TYPE = 'application/json; charset=utf-8';
const YAML = 'text/yaml; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
