import type { OpenAPIObject } from '@nestjs/swagger';

/** Describes where the document itself is, and its page for people: no controller serves them. */
export function describeDocumentation({ paths }: OpenAPIObject): void {
  paths['/openapi.json'] = page('document', 'This document.', 'application/json', { type: 'object' });
  paths['/docs'] = page('swaggerUi', 'This document as a page to read and to try out.', 'text/html', {
    type: 'string',
  });
}

const page = (name: string, summary: string, type: string, schema: object) => ({
  get: {
    operationId: `documentation_${name}`,
    summary,
    tags: ['Documentation'],
    parameters: [],
    responses: { '200': { description: 'Done.', content: { [type]: { schema } } } },
  },
});
