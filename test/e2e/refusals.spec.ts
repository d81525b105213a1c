import { type Answer, type Json, ok, openApi } from '../support/clients/client.js';
import {
  bodyRefs,
  type Document,
  filled,
  type Operation,
  operationsOf,
  resolved,
  type Schema,
  takesList,
} from '../support/clients/openapi.js';
import { type Furnished, furnishedWorkspace, received } from '../support/data/records.js';

let furnished: Furnished;
let document: Document;
let operations: Operation[];
beforeAll(async () => {
  furnished = await furnishedWorkspace();
  document = await openApi();
  operations = operationsOf(document).filter(({ path }) => /^\/(api|admin)\//.test(path));
});

const send = ({ method, path }: Operation, body?: unknown, query = ''): Promise<Answer> =>
  (path.startsWith('/admin') ? furnished.admin : furnished.api).send(
    method,
    filled(path, furnished.ids) + query,
    { body },
  );
const detailOf = ({ body }: Answer, field: string): string | undefined =>
  body.errors?.find((one: Json) => one.field === field)?.detail;
const listed = (names: string[]): string =>
  names.length === 0 ? 'there are none' : `known are ${names.sort().join(', ')}`;
const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

describe('what is told of an unknown name', () => {
  it('in the query are the parameters that the route takes, on every route', async () => {
    for (const operation of operations) {
      const names = (operation.spec.parameters ?? [])
        .filter((one: Json) => one.in === 'query')
        .map(({ name, style }: Json) => (style === 'deepObject' ? `${name}[key]` : name));
      const answer = await send(operation, undefined, '?nonsense=1');
      expect([nameOf(operation), detailOf(answer, 'nonsense')]).toEqual([
        nameOf(operation),
        `is not a known query parameter; ${listed(names)}`,
      ]);
    }
  });

  it('in the body are the fields that the route takes, on every route', async () => {
    const withBody = operations.filter(({ method }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method));
    for (const operation of withBody) {
      if (operation.spec.requestBody && !operation.spec.requestBody.content['application/json']) continue;
      const refs = bodyRefs(operation);
      const inline: Schema = operation.spec.requestBody?.content['application/json'].schema ?? {};
      const schemas: Schema[] = refs.length === 0 ? [inline] : refs.map((ref) => resolved(document, ref));
      const known = schemas.map(({ properties = {} }) => listed(Object.keys(properties)));
      const body = { nonsense: 1 };
      const [answer, field] = takesList(operation)
        ? [await send(operation, [body]), '0.nonsense']
        : [await send(operation, body), 'nonsense'];
      const told = detailOf(answer, field)?.replace('is not a known field; ', '');
      expect([nameOf(operation), known.includes(told ?? '') ? told : known]).toEqual([
        nameOf(operation),
        told,
      ]);
    }
  });

  it('in an object inside the body are the fields of that object', async () => {
    const products = [{ product_name: 'x', quantity: 1, unit_price: '1', sku: 'A' }];
    const quote = await furnished.api.put(`sales/${furnished.ids['sale_id']}/quote`, {
      currency: 'USD',
      products,
    });
    expect(detailOf(quote, 'products.0.sku')).toBe(
      'is not a known field; known are product_name, quantity, unit_price',
    );
    const message = await received(furnished.api, { contact: { name: 'Grace', nickname: 'G' } });
    expect(detailOf(message, 'contact.nickname')).toMatch(/^is not a known field; known are .*email.*, name/);
  });

  it('among custom values are the custom fields of the organization', async () => {
    const told = 'is not a custom field of this organization; known are size';
    const created = await furnished.api.post('contacts', { name: 'Grace', custom_fields: { colour: 'red' } });
    expect(detailOf(created, 'custom_fields.colour')).toBe(told);
    const listed = await furnished.api.get('contacts?custom_fields[colour]=red');
    expect(detailOf(listed, 'custom_fields[colour]')).toBe(told);
  });

  it('among event types are all of them, in the feed and for webhooks', async () => {
    const types = Object.keys(document.components.schemas.Event.discriminator.mapping);
    const told = `there is no event type Nonsense; ${listed(types)}`;
    expect(detailOf(await furnished.api.get('events', { types: 'Nonsense' }), 'types')).toBe(told);
    const webhook = { url: 'http://127.0.0.1:1/hook', types: ['Nonsense'] };
    expect(detailOf(await furnished.api.post('webhooks', webhook), 'types')).toBe(told);
  });

  it('is left out after the first twenty, so that the answer stays small', async () => {
    const body = Object.fromEntries(Array.from({ length: 1_000 }, (_, nr) => [`k${nr}`, 1]));
    const { text, body: problem } = await furnished.api.post('contacts', body);
    const details = problem.errors.map(({ detail }: Json) => detail);
    expect(details[19]).toMatch(/; known are /);
    expect(details[20]).toBe('is not a known field');
    expect(text.length).toBeLessThan(150_000);
  });
});

describe('what is told of a value that is none of a few words', () => {
  /** Where the document names a few words: the place in a query or body, and the words. */
  const inQuery = (operation: Operation): [string, string[]][] =>
    (operation.spec.parameters ?? [])
      .filter((one: Json) => one.in === 'query' && one.schema.enum)
      .map(({ name, schema }: Json) => [name, schema.enum]);
  const inBody = (operation: Operation): [string, string[]][] =>
    bodyRefs(operation).flatMap((ref) =>
      Object.entries<Json>(resolved(document, ref).properties ?? {}).flatMap(
        ([name, one]): [string, string[]][] => (one.enum ? [[name, one.enum]] : []),
      ),
    );
  const lacking = (words: string[], told: string | undefined) =>
    words.filter((word) => word !== null && !told?.includes(word));

  it('in the query are the words', async () => {
    let count = 0;
    for (const operation of operations)
      for (const [name, words] of inQuery(operation)) {
        const told = detailOf(await send(operation, undefined, `?${name}=nonsense`), name);
        expect([nameOf(operation), name, lacking(words, told)]).toEqual([nameOf(operation), name, []]);
        count++;
      }
    expect(count).toBeGreaterThan(10);
  });

  it('in the body are the words', async () => {
    let count = 0;
    for (const operation of operations)
      for (const [name, words] of inBody(operation)) {
        if (bodyRefs(operation).length > 1) continue;
        const told = detailOf(await send(operation, { [name]: 'nonsense' }), name);
        expect([nameOf(operation), name, lacking(words, told)]).toEqual([nameOf(operation), name, []]);
        count++;
      }
    expect(count).toBeGreaterThan(4);
  });

  it('among the types of a search are the types', async () => {
    const told = detailOf(await furnished.api.get('search', { q: 'x', types: 'nonsense' }), 'types');
    expect(told).toBe(
      'nonsense is none of contact, company, conversation, message, draft, sale, task, comment',
    );
    await ok(furnished.api.get('search', { q: 'x', types: 'contact, sale' }));
  });
});
