import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { parse } from 'yaml';
import { Client, type Json, openApi, sharedUrl } from '../support/clients/client.js';
import { requireDocumented } from '../support/clients/documented.js';
import { exampleOf } from '../support/clients/examples.js';
import {
  bodyRefs,
  type Document,
  filled,
  mismatches,
  type Operation,
  operationsOf,
  requiredQuery,
  resolved,
} from '../support/clients/openapi.js';
import { type Furnished, furnishedWorkspace } from '../support/data/records.js';
import { unsubscribeToken } from '../support/data/message-drafts.js';
import { startSmtp } from '../support/stand-ins/smtp.js';

let document: Document;
let operations: Operation[];
beforeAll(async () => {
  document = await openApi();
  operations = operationsOf(document);
});

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
const below = (...surfaces: string[]) =>
  operations.filter(({ path }) => surfaces.some((surface) => path.startsWith(`/${surface}/`)));

/** Of the answer's media type: JSON, except for files and for what a provider expects. */
const schemaOf = (content: Json): Json =>
  (
    content?.['application/json'] ??
    content?.['application/octet-stream'] ??
    content?.['message/rfc822'] ??
    content?.['text/xml'] ??
    content?.['text/plain'] ??
    content?.['text/yaml'] ??
    content?.['text/html']
  )?.schema;

const readJson = (path: string): Json =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'));

/**
 * The document in pieces that have a name, as text. The address of the server is not its own, nor are the records that the
 * examples of a demo name.
 */
const partsOf = ({ paths, components, servers: _, ...rest }: Document): Record<string, string> =>
  Object.fromEntries(
    Object.entries<Json>({
      ...rest,
      ...paths,
      ...components.schemas,
      ...components.responses,
      securitySchemes: components.securitySchemes,
    }).map(([name, part]) => [name, JSON.stringify(part, withoutRecords)]),
  );

const withoutRecords = (_: string, part: Json): Json => {
  if (typeof part === 'string') return part.replace(/^([a-z]+)_01[0-9a-z]{24}$/, '$1_…');
  if (!part?.in || !part.required) return part;
  const { example: _example, ...parameter } = part;
  return parameter;
};

/** Every property of every schema as `Schema.property`. */
const properties = (): [name: string, property: Json][] =>
  Object.entries<Json>(document.components.schemas).flatMap(([schema, { properties = {} }]) =>
    Object.entries<Json>(properties).map(([name, property]): [string, Json] => [
      `${schema}.${name}`,
      property,
    ]),
  );

/** The routes that the controllers declare, `METHOD /path/{parameter}`. */
function declaredRoutes(): string[] {
  const src = join(import.meta.dirname, '../../src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /controller\.ts$/.test(name),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8');
    const base = /@Controller\('([^']*)'\)/.exec(text)?.[1];
    // Routes for controllers that extend them.
    if (base === undefined) return [];
    const shared = /import \{ \w+Routes \} from '\.\/([\w.-]+)\.js'/.exec(text)?.[1];
    const routes = shared === undefined ? text : readFileSync(join(src, file, `../${shared}.ts`), 'utf8');
    return [...routes.matchAll(/@(Get|Post|Put|Patch|Delete)\((?:'([^']*)')?\)/g)].map(
      ([, method, path = '']) => {
        const whole = `/${[base, path].filter((part) => part !== '').join('/')}`;
        return `${method!.toUpperCase()} ${whole.replace(/:(\w+)/g, '{$1}')}`;
      },
    );
  });
}

describe('the document', () => {
  it('is OpenAPI 3.1 with title, version and server', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info).toMatchObject({
      title: expect.any(String),
      version: '2.0.0',
      description: expect.any(String),
    });
  });

  it('names the host it is read from as the first server, then the one of PARLEY_PUBLIC_URL', () => {
    expect(document.servers.map(({ url }: Json) => url)).toEqual(['/', expect.stringMatching(/^https?:/)]);
  });

  it('is the one in docs/openapi.json, which `npm run openapi` writes', () => {
    const [written, served] = [readJson('docs/openapi.json'), document].map(partsOf);
    const names = new Set([...Object.keys(written!), ...Object.keys(served!)]);
    expect([...names].filter((name) => written![name] !== served![name])).toEqual([]);
  });

  it('is served as YAML, too, which is the same document', async () => {
    const { text } = await new Client(sharedUrl(), '').get('/openapi.yaml');
    expect(parse(text)).toEqual(document);
  });

  it('is sent compressed, as are its pages, in the way the client prefers', async () => {
    const sizeOf = async (path: string, encoding: string) => {
      const { body, headers } = await request(sharedUrl() + path, {
        headers: { 'accept-encoding': encoding },
      });
      return [headers['content-encoding'], (await body.arrayBuffer()).byteLength] as const;
    };
    for (const path of ['/openapi.json', '/openapi.yaml', '/docs/openapi.json', '/docs/swagger-ui-bundle.js'])
      for (const encoding of ['br', 'gzip']) {
        const [[, plain], [used, packed]] = [await sizeOf(path, 'identity'), await sizeOf(path, encoding)];
        expect([path, used, packed < plain / 3]).toEqual([path, encoding, true]);
      }
  });

  it('is shown by Swagger UI, under a policy that lets in no script of others', async () => {
    const page = await new Client(sharedUrl(), '').get('/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
  });

  it('is shown without webhooks, and without keys that nobody types', async () => {
    const { body: shown } = await new Client(sharedUrl(), '').get('/docs/openapi.json');
    expect(Object.keys(shown.components.securitySchemes)).toEqual(['api-key', 'admin-key', 'hook-token']);
    expect([shown.webhooks, shown.servers]).toEqual([undefined, [expect.objectContaining({ url: '/' })]]);
    for (const path of ['/openapi.json', '/openapi.yaml'])
      expect(shown.info.description).toContain(`(..${path})`);
    expect(Object.keys(shown.paths)).toEqual(Object.keys(document.paths));
  });

  it('has every route of the application but the page that signs in by a link, and no other', () => {
    const declared = declaredRoutes().filter((route) => route !== 'GET /console/session/{link}');
    expect(declared.length).toBeGreaterThan(30);
    const served = new Set([
      ...declared,
      ...['/', '/docs', '/openapi.json', '/openapi.yaml'].map((path) => `GET ${path}`),
    ]);
    expect(operations.map(nameOf).sort()).toEqual([...served].sort());
  });

  it('knows the methods of each path that the server says it allows', async () => {
    const open = new Client(sharedUrl(), '');
    const others = ['/', '/docs', '/openapi.json', '/openapi.yaml'];
    for (const path of new Set([...below('hooks', 'health', 'console').map(({ path }) => path), ...others]))
      expect(await allowed(open, path)).toEqual(documented(path));
  });

  it('resolves its references', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
    expect(refs.length).toBeGreaterThan(0);
    expect(refs.filter((ref) => resolved(document, ref) === undefined)).toEqual([]);
  });

  it('says what may be null in the words of 3.1', () => {
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });
});

const documented = (path: string) =>
  operations
    .filter((one) => one.path === path)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .sort();

async function allowed(client: Client, path: string): Promise<string[]> {
  const { headers } = await client.send('OPTIONS', filled(path, {}));
  return (headers.get('allow') ?? '').split(', ').sort();
}

describe('the page at /', () => {
  it('leads to what is there, in plain HTML without scripts', async () => {
    const open = new Client(sharedUrl(), '');
    const { status, text, headers } = await open.get('/');
    expect([status, text.includes('<script')]).toEqual([200, false]);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src/);
    const paths = [...text.matchAll(/href="([^"]+)"/g)].map(([, path]) => `/${path}`);
    expect(paths).toEqual(
      expect.arrayContaining(['/docs', '/openapi.json', '/openapi.yaml', '/admin/queues']),
    );
    // The queues ask for a password.
    for (const path of paths)
      expect([path, (await open.get(path)).status]).toEqual([path, path === '/admin/queues' ? 401 : 200]);
  });

  it('is the only one that is not named: other paths are problems', async () => {
    const { status, body } = await new Client(sharedUrl(), '').get('/index.html');
    expect([status, body.code]).toEqual([404, 'not_found']);
  });
});

describe('every operation', () => {
  it('has a description, and each of its tags one in the document', () => {
    expect(operations.filter(({ spec }) => !spec.description).map(nameOf)).toEqual([]);
    const described = document.tags.filter(
      ({ name, description }: Json) => description && description !== name,
    );
    const used = new Set(operations.flatMap(({ spec }) => spec.tags));
    expect(described.map(({ name }: Json) => name).sort()).toEqual([...used].sort());
    expect(operations.filter(({ spec }) => spec.tags.length !== 1).map(nameOf)).toEqual([]);
  });

  it('stands under a tag in the order of work, from organizations to what operators do', () => {
    expect(document.tags.map(({ name }: Json) => name)).toEqual([
      ...['Organizations and agents', 'Contacts', 'Companies', 'Conversations', 'Messages'],
      ...[
        'Message drafts',
        'Response drafts',
        'Templates',
        'Tracked links',
        'Files',
        'Suppressions',
        'Unsubscribing',
        'Sales',
        'Tasks',
        'Tags',
        'Comments',
        'Search',
        'Analytics',
        'Audit log',
      ],
      ...['Events', 'Legacy', 'Administration', 'Webhooks', 'Inbound', 'Console', 'Health', 'Documentation'],
    ]);
  });

  it('has no example for a header whose value holds for one request or one version only', () => {
    const headers = operations.flatMap(({ spec }) =>
      (spec.parameters ?? []).filter((one: Json) => one.in === 'header'),
    );
    const names = new Set(headers.map(({ name }: Json) => name));
    expect(names).toEqual(
      new Set([
        'Idempotency-Key',
        'If-Match',
        'If-None-Match',
        'Last-Event-ID',
        'X-ADMIN-KEY',
        'X-Twilio-Signature',
      ]),
    );
    const fixed = headers.filter(
      ({ example, examples, schema }: Json) => example ?? examples ?? schema.example,
    );
    expect(fixed).toEqual([]);
  });

  it('has a summary, a tag and an id of its own', () => {
    const lacking = operations.filter(({ spec }) => !spec.summary || !spec.tags?.length || !spec.operationId);
    expect(lacking.map(nameOf)).toEqual([]);
    const ids = operations.map(({ spec }) => spec.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('documents exactly the parameters of its path, as required, with a description', () => {
    for (const operation of operations) {
      const inPath = (operation.spec.parameters ?? []).filter((one: Json) => one.in === 'path');
      const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect([nameOf(operation), ...inPath.map((one: Json) => one.name).sort()]).toEqual([
        nameOf(operation),
        ...names.sort(),
      ]);
      for (const { required, description, schema } of inPath)
        expect({ required, description, type: schema.type }).toEqual({
          required: true,
          description: expect.stringMatching(/\S/),
          type: 'string',
        });
    }
  });

  it('describes every query parameter', () => {
    const lacking = operations.flatMap((operation) =>
      (operation.spec.parameters ?? [])
        .filter((one: Json) => one.in === 'query' && !one.description)
        .map((one: Json) => `${nameOf(operation)} ${one.name}`),
    );
    expect(lacking).toEqual([]);
  });

  it('names its key: X-API-KEY below /api, X-ADMIN-KEY below /admin', () => {
    const { securitySchemes } = document.components;
    const headerOf = ({ spec }: Operation) => {
      const [scheme] = (spec.security ?? []).flatMap((one: Json) => Object.keys(one));
      const { type, in: place, name } = securitySchemes[scheme] ?? {};
      return { type, place, name };
    };
    for (const [surface, name] of [
      ['api', 'X-API-KEY'],
      ['admin', 'X-ADMIN-KEY'],
    ] as const)
      for (const operation of below(surface))
        expect([nameOf(operation), headerOf(operation)]).toEqual([
          nameOf(operation),
          { type: 'apiKey', place: 'header', name },
        ]);
  });

  it('documents its success, with a schema unless it is 204 or a redirect', () => {
    for (const operation of operations) {
      const successes = Object.entries<Json>(operation.spec.responses).filter(([status]) =>
        /^2|^302$/.test(status),
      );
      expect([nameOf(operation), successes.length]).not.toEqual([nameOf(operation), 0]);
      for (const [status, { description, content }] of successes) {
        expect([nameOf(operation), description]).toEqual([nameOf(operation), expect.stringMatching(/\S/)]);
        if (status !== '204' && status !== '302')
          expect([nameOf(operation), schemaOf(content)]).toEqual([nameOf(operation), expect.any(Object)]);
      }
    }
  });

  it('documents its problems as application/problem+json', () => {
    for (const operation of below('api', 'admin', 'hooks')) {
      const { responses, requestBody } = operation.spec;
      const expected = ['400', '401', ...(requestBody ? ['413', '415'] : [])];
      const lacking = expected.filter(
        (status) => !responses[status]?.content?.['application/problem+json']?.schema,
      );
      expect([nameOf(operation), lacking]).toEqual([nameOf(operation), []]);
    }
    // Rendering a template is a read.
    const writes = below('api').filter(({ method, path }) => method !== 'GET' && !path.endsWith('/render'));
    for (const operation of writes)
      expect([nameOf(operation), Object.keys(operation.spec.responses)]).toEqual([
        nameOf(operation),
        expect.arrayContaining(['403']),
      ]);
    for (const operation of operations.filter(({ path }) => path.includes('{') && !path.startsWith('/hooks')))
      expect([nameOf(operation), Object.keys(operation.spec.responses)]).toEqual([
        nameOf(operation),
        expect.arrayContaining(['400', '404']),
      ]);
  });
});

describe('the example of a problem', () => {
  const problemsOf = ({ spec }: Operation): [status: string, example: Json][] =>
    Object.entries<Json>(spec.responses)
      .filter(([, { content }]) => content?.['application/problem+json'])
      .map(([status, { content }]) => [status, content['application/problem+json'].example]);

  it('is one of its status, with its code, on every route', () => {
    for (const operation of operations)
      for (const [status, example] of problemsOf(operation)) {
        expect([nameOf(operation), example]).toEqual([
          nameOf(operation),
          expect.objectContaining({
            status: Number(status),
            type: `https://parley.example/problems/${example.code}`,
            detail: expect.stringMatching(/\S/),
          }),
        ]);
        expect(mismatches(document, { $ref: '#/components/schemas/ProblemResponse' }, example)).toEqual([]);
      }
  });

  it('says what happened: 409 is a conflict, 422 another body, 412 another version', () => {
    const codes: Record<string, Set<string>> = {};
    for (const operation of operations)
      for (const [status, { code }] of problemsOf(operation)) (codes[status] ??= new Set()).add(code);
    const { 404: missing, ...others } = codes;
    expect(
      Object.fromEntries(Object.entries(others).map(([status, all]) => [status, [...all].sort()])),
    ).toEqual({
      400: ['validation_failed'],
      401: ['unauthorized'],
      403: ['console_header_missing', 'read_only_key', 'wrong_signature'],
      409: ['draft_sending', 'idempotency_in_progress', 'rebuild_in_progress', 'version_conflict'],
      412: ['version_mismatch'],
      413: ['body_too_large'],
      415: ['unsupported_media_type'],
      422: ['idempotency_key_reused'],
      429: ['rate_limited'],
      500: ['internal_error'],
      503: ['unavailable'],
    });
    expect([...missing!].filter((code) => !/^(\w+_)?not_found$/.test(code))).toEqual([]);
  });

  it('is written down once, among the responses of the document, for all routes that it is true of', () => {
    const referred = new Set<string>();
    for (const methods of Object.values<Json>(document.paths))
      for (const { responses } of Object.values<Json>(methods))
        for (const [status, { $ref, content }] of Object.entries<Json>(responses)) {
          expect([status, Object.keys(content ?? {})]).not.toEqual([status, ['application/problem+json']]);
          if ($ref) referred.add($ref.replace('#/components/responses/', ''));
        }
    expect([...referred].sort()).toEqual(Object.keys(document.components.responses));
  });
});

describe('every schema', () => {
  it('describes each of its properties', () => {
    const lacking = properties().filter(([, one]) => !one.description && !one.enum && !one.$ref);
    expect(lacking.map(([name]) => name)).toEqual([]);
  });

  it('of a body that is sent says that other fields are refused, and of each list how many items', () => {
    const named = new Set(operations.flatMap(bodyRefs));
    for (const $ref of named) {
      const { additionalProperties, properties: fields = {} } = resolved(document, $ref);
      expect([$ref, additionalProperties]).toEqual([$ref, false]);
      for (const [name, { type, maxItems }] of Object.entries<Json>(fields))
        if ([type].flat().includes('array'))
          expect([`${$ref}.${name}`, maxItems]).toEqual([`${$ref}.${name}`, expect.any(Number)]);
    }
  });

  it('gives instants the format date-time', () => {
    const instants = properties().filter(([name]) => name.endsWith('_at'));
    expect(instants.filter(([, one]) => one.format !== 'date-time').map(([name]) => name)).toEqual([]);
  });

  it('says whole numbers are integers', () => {
    const whole = /\.(limit|port|position|attempts|click_count|duration|status|overlap_seconds|days)$/;
    const numbers = properties().filter(
      ([name, one]) => whole.test(name) && [one.type, one.items?.type].includes('number'),
    );
    expect(numbers.map(([name]) => name)).toEqual([]);
  });

  it('has an example in every body that is sent', () => {
    const bodies = operations.flatMap(bodyRefs);
    expect(bodies.length).toBeGreaterThan(5);
    const lacking = bodies.filter(($ref) => {
      const { properties = {}, example, examples } = resolved(document, $ref);
      const exemplary = (one: Json) =>
        one.example !== undefined || one.examples || one.enum || one.default !== undefined;
      return !example && !examples && !Object.values<Json>(properties).some(exemplary);
    });
    expect([...new Set(lacking)]).toEqual([]);
  });
});

describe('what the server answers', () => {
  let furnished: Furnished;
  beforeAll(async () => {
    furnished = await furnishedWorkspace();
    await furnished.adminApi.put('channels/text', {
      provider: 'twilio',
      account_sid: 'AC1',
      auth_token: 'x',
      from_number: '+12125550100',
    });
    const smtp = await startSmtp();
    furnished.ids['token'] = await unsubscribeToken(furnished, smtp);
    await smtp.close();
  });
  const clientFor = (path: string) => (path.startsWith('/admin') ? furnished.admin : furnished.api);

  it('to every GET is what the document says, attribute by attribute', async () => {
    const found: string[] = [];
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const { status, body, text } = await clientFor(operation.path).get(
        filled(operation.path, furnished.ids),
        requiredQuery(operation),
      );
      const schema = schemaOf(operation.spec.responses[status]?.content);
      if (schema?.format === 'binary' || (status === 302 && operation.spec.responses[302])) continue;
      if (status !== 200 || !schema) found.push(`${nameOf(operation)}: ${status} ${JSON.stringify(body)}`);
      else
        found.push(
          ...mismatches(document, schema, body ?? text).map((reason) => `${nameOf(operation)}: ${reason}`),
        );
    }
    expect([...new Set(found.map((reason) => reason.replace(/\.\d+/g, '.*')))]).toEqual([]);
  });

  it('in error to every operation is what the document says', async () => {
    const found: string[] = [];
    for (const operation of below('api', 'admin')) {
      const ids = { organization_id: furnished.organizationId };
      const client = clientFor(operation.path);
      const { status, body } = await client.send(
        operation.method,
        `${filled(operation.path, ids)}?nonsense=1`,
      );
      const schema = operation.spec.responses[status]?.content?.['application/problem+json']?.schema;
      if (!schema) found.push(`${nameOf(operation)}: ${status} ${JSON.stringify(body)}`);
      else
        found.push(...mismatches(document, schema, body).map((reason) => `${nameOf(operation)}: ${reason}`));
    }
    expect(found).toEqual([]);
  });

  it('to an id that nobody has is the 404 of the example, code and sentence', async () => {
    for (const operation of operations.filter(
      ({ spec, path }) => spec.responses[404] && path.includes('{'),
    )) {
      const { example } = operation.spec.responses[404].content['application/problem+json'];
      const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      // With an external id that nobody has, a record is made.
      const name = names.findLast((one) => one !== 'external_id');
      if (operation.path.startsWith('/hooks/')) continue;
      const nobody = /There is no .* (\S+)\.$/.exec(example.detail)?.[1] ?? 'nowhere';
      const word = /^(modality|record|name)$/.test(name!) ? 'nowhere' : nobody;
      const body = exampleOf(operation);
      const { status, body: problem } = await clientFor(operation.path).send(
        operation.method,
        filled(operation.path, { ...furnished.ids, [name!]: word }),
        { body, query: requiredQuery(operation) },
      );
      expect([nameOf(operation), status, problem?.code, problem?.detail.replace(word, nobody)]).toEqual([
        nameOf(operation),
        404,
        example.code,
        example.detail,
      ]);
    }
  });

  it('in any test fails that test when the document does not say so', () => {
    const answer = (status: number, body: Json) => ({
      status,
      headers: new Headers({ 'content-type': 'application/json' }),
      body,
      text: JSON.stringify(body),
    });
    const require = (status: number, body: Json) => () =>
      requireDocumented('GET', '/api/v2/organizations', answer(status, body));
    const organization = { organization_id: 'org_1', name: 'Acme' };
    expect(require(200, { data: [organization] })).not.toThrow();
    expect(require(200, { data: [{ ...organization, colour: 'blue' }] })).toThrow(
      'colour: is not documented',
    );
    expect(require(200, { data: [{ name: 'Acme' }] })).toThrow('organization_id: is missing');
    expect(require(202, { data: [organization] })).toThrow('the status is not documented');
  });

  it('about the methods of each path is what the document says', async () => {
    for (const path of new Set(below('api', 'admin').map(({ path }) => path))) {
      const { headers, status } = await clientFor(path).send('OPTIONS', filled(path, furnished.ids));
      const allow = (headers.get('allow') ?? '').split(', ').sort();
      expect([path, status, allow]).toEqual([path, 405, documented(path)]);
    }
  });
});
