import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BYTE_ROUTES } from '../client/byte-routes.js';
import { byteRoutes } from './byte-routes.js';

const answering = (...types: string[]) => ({
  responses: {
    200: { content: Object.fromEntries(types.map((type) => [type, {}])) },
    404: { content: { 'application/problem+json': {} } },
  },
});

describe('routes that give bytes', () => {
  it.each([
    [['application/octet-stream'], true],
    [['message/rfc822'], true],
    [['application/x-ndjson'], true],
    [['text/csv', 'image/png'], true],
    [['text/html'], false],
    [['application/json'], false],
    [['application/json', 'text/csv'], false],
    [['application/json', 'image/png'], false],
    [[], false],
  ])('are found by the types of their success: %j', (types, isOne) =>
    expect(byteRoutes({ paths: { '/x': { get: answering(...types) } } })).toEqual(isOne ? ['get /x'] : []),
  );

  it('are in the client as the document has them', () => {
    const document = readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8');
    const routes = byteRoutes(JSON.parse(document) as Parameters<typeof byteRoutes>[0]);
    expect([...BYTE_ROUTES]).toEqual(routes);
    expect(routes).toContain('get /api/v2/organizations/{organization_id}/files/{file_id}');
  });
});
