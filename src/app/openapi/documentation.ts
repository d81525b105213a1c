import type { OpenAPIObject } from '@nestjs/swagger';

/** Describes where the document itself is, and its pages for people: no controller serves them. */
export function describeDocumentation({ paths }: OpenAPIObject): void {
  paths['/'] = page('home', 'A page that leads to all others.', 'text/html', TEXT);
  paths['/docs'] = page('swaggerUi', 'This document as a page to read and to try out.', 'text/html', TEXT);
  paths['/openapi.json'] = page('document', 'This document.', 'application/json', { type: 'object' });
  paths['/openapi.yaml'] = page('documentAsYaml', 'This document as YAML.', 'text/yaml', TEXT);
}

const TEXT = { type: 'string' };

const page = (name: string, summary: string, type: string, schema: object) => ({
  get: {
    operationId: `documentation_${name}`,
    summary,
    tags: ['Documentation'],
    parameters: [],
    responses: { '200': { description: 'Done.', content: { [type]: { schema } } } },
  },
});
