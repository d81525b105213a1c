import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Json, openApi } from '../support/clients/client.js';
import { operationsOf } from '../support/clients/openapi.js';

let directory: string;
let collection: Json;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-collection-'));
  const path = join(directory, 'collection.json');
  execFileSync(process.execPath, ['libs/build/collection.mjs', path], {
    cwd: join(import.meta.dirname, '../..'),
  });
  collection = JSON.parse(readFileSync(path, 'utf8'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Every request, in whichever folder. */
const requestsIn = ({ item, request }: Json): Json[] => (item ? item.flatMap(requestsIn) : [request]);

describe('`npm run collection`', () => {
  it('writes a collection of version 2.1 that has each operation of the document once', async () => {
    expect(collection.info.schema).toContain('v2.1');
    const collected = requestsIn(collection).map(({ method, url }) => `${method} /${url.path.join('/')}`);
    const documented = operationsOf(await openApi()).map(
      ({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
    );
    expect(collected.sort()).toEqual(documented.sort());
  });

  it('leaves keys and ids to variables of the collection', () => {
    const known = collection.variable.map(({ key }: Json) => key);
    expect(known).toEqual(
      expect.arrayContaining(['baseUrl', 'api_key', 'admin_key', 'hook_token', 'organization_id']),
    );
    const used = [...JSON.stringify(collection).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
    expect(used.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('holds the bodies that the document gives as examples', () => {
    const request = requestsIn(collection).find(
      ({ method, url }) => method === 'POST' && url.path.at(-1) === 'contacts',
    );
    expect(JSON.parse(request.body.raw)).toMatchObject({ name: 'Grace Hopper' });
  });
});
