import fc from 'fast-check';
import type { Json } from '../support/clients/client.js';
import type { Document, Operation, Schema } from '../support/clients/openapi.js';
import { HEADERS, KEYS } from './headers.js';
import { changedMails, mails } from './mails.js';
import { anyId, broken, mutated } from './mutations.js';
import { TRAP_NAMES, trapValue, TYPES } from './traps.js';
import { fitting, isPlace, place } from './values.js';

/** A request with places in it that the furnished workspace fills. */
export interface FuzzedRequest {
  operation: Operation;
  path: string;
  /** Percent-encoded, in the order of sending; a name may come twice. */
  query: string;
  headers: Record<string, string>;
  /** Undefined for none. */
  body: Buffer | undefined;
  /** What the document allows, so that nobody may call it malformed. */
  isValid: boolean;
}

/** Operations that cost the server more than others, or do something to all. */
const WEIGHTS: Record<string, number> = {
  'POST /admin/v1/projections/{name}/rebuild': 1,
  'POST /admin/v1/organizations/{organization_id}/channels/{modality}/validate': 4,
  'POST /admin/v1/organizations': 6,
  'POST /admin/v1/organizations/{organization_id}/custom-fields/{record}': 4,
  'GET /metrics': 2,
  'GET /admin/v1/doctor': 2,
};

/** What takes records away or changes how an organization is set up gets at spare ones, so that the others stay valid. */
const DESTRUCTIVE = /^(DELETE|(POST|PUT) \/admin|POST .*\/(send|response-drafts|redeliver|merge)$)/;
const SPARE = new Set(
  [
    'draft',
    'response',
    'conversation',
    'key',
    'contact',
    'company',
    'sale',
    'task',
    'comment',
    'tag',
    'template',
    'webhook',
  ].map((kind) => `${kind}_id`),
);

/** What has to be in the body to make a record with an external id, by the records of the path. */
const NEEDED: Record<string, object> = {
  companies: { name: 'Navy' },
  tasks: { title: 'Call' },
  sales: { status_id: place('status_id') },
};

/** Whether enough valid requests carry it out: it is not rare, nor in need of a record that may be gone, or of a link in a mail. */
export const isSure = (operation: Operation): boolean =>
  WEIGHTS[nameOf(operation)] === undefined &&
  !DESTRUCTIVE.test(nameOf(operation)) &&
  !operation.path.startsWith('/u/');

export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Requests of every operation: some as the document wants them, most with something about them changed. */
export const requestsOf = (document: Document, operations: Operation[]): fc.Arbitrary<FuzzedRequest> =>
  fc.oneof(
    ...operations.map((operation) => ({
      weight: WEIGHTS[nameOf(operation)] ?? 20,
      arbitrary: fc.oneof(
        { weight: 4, arbitrary: request(document, operation, []) },
        {
          weight: 6,
          arbitrary: changes.chain((changed) => request(document, operation, changed)),
        },
      ),
    })),
  );

/** What of a request is not as the document wants it. */
const changes = fc.oneof<fc.MaybeWeightedArbitrary<string[]>[]>(
  {
    weight: 12,
    arbitrary: fc.uniqueArray(fc.constantFrom('path', 'query', 'body', 'headers', 'type'), {
      minLength: 1,
      maxLength: 2,
    }),
  },
  { weight: 4, arbitrary: fc.constant(['body']) },
  // Behind a wrong key there is not much to find.
  { weight: 1, arbitrary: fc.constant(['keys', 'body']) },
);

const request = (
  document: Document,
  operation: Operation,
  changed: string[],
): fc.Arbitrary<FuzzedRequest> => {
  const types = Object.keys(operation.spec.requestBody?.content ?? { none: null });
  return fc.oneof(...types.map((type) => typed(document, operation, type, changed)));
};

function typed(
  document: Document,
  operation: Operation,
  type: string,
  changed: string[],
): fc.Arbitrary<FuzzedRequest> {
  return fc.record({
    operation: fc.constant(operation),
    path: pathOf(operation, changed.includes('path')),
    query: queryOf(document, operation, changed.includes('query')),
    headers: headersOf(operation, type, changed),
    body:
      type === 'none' ? fc.constant(undefined) : bodyOf(document, operation, type, changed.includes('body')),
    // Whether there is another one to merge is up to the requests before.
    isValid: fc.constant(changed.length === 0 && !operation.path.endsWith('/merge')),
  });
}

/** No dots: a client takes them out of a path before it sends it (RFC 3986, 5.2.4), and asks for something else. */
const segment = trapValue.filter((value) => !/^(?:\.|%2e){1,2}$/i.test(value));

function pathOf(operation: Operation, isChanged: boolean): fc.Arbitrary<string> {
  const { path } = operation;
  const parts = path.split('/').map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return fc.constant(part);
    const own = fc.constant(place(placeOf(operation, name)));
    return isChanged ? fc.oneof({ weight: 4, arbitrary: own }, anyId, segment) : own;
  });
  return fc.tuple(...parts).map((all) => all.join('/'));
}

function placeOf(operation: Operation, name: string): string {
  const { path } = operation;
  const hook = /^\/hooks\/.*\/([\w-]+)$/.exec(path)?.[1];
  if (hook !== undefined) return `${hook.replace('-', '_')}_channel_id`;
  if (name === 'message_id' && path.includes('/tracked-links')) return 'linked_message_id';
  if (path.endsWith('/validate') || !DESTRUCTIVE.test(nameOf(operation))) return name;
  const isSpare = SPARE.has(name) || (name === 'organization_id' && path.startsWith('/admin'));
  return isSpare ? `spare_${name}` : name;
}

function queryOf(document: Document, { spec, path }: Operation, isChanged: boolean): fc.Arbitrary<string> {
  const parameters = (spec.parameters ?? []).filter((one: Json) => one.in === 'query');
  const hook = /^\/hooks\/.*\/([\w-]+)$/.exec(path)?.[1];
  const fields = parameters.map(({ name, schema }: Json) => {
    if (schema.type === 'object') return [`${name}[size]`, fc.nat(5).map(String)];
    if (name === 'types' && path.endsWith('/search')) return [name, SEARCH_TYPES];
    return [name, valueOf(document, name, schema, hook)];
  });
  const requiredKeys = parameters
    // A form names its file, and bytes have no name but this.
    .filter((one: Json) => one.required || one.name === 'token' || one.name === 'file_name')
    .map(({ name }: Json) => name);
  const valid = fc
    .record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<string>>, {
      requiredKeys,
      noNullPrototype: true,
    })
    .map((query) => Object.entries(withItsOwn(inOrder(query))));
  if (!isChanged) return valid.map(written);
  const names = [...parameters.map(({ name }: Json) => name as string), ...TRAP_NAMES];
  const extra = fc.tuple(fc.constantFrom(...names), fc.oneof(trapValue, anyId, cursors)).filter(isQuick);
  return fc
    .tuple(valid, fc.array(extra, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([query, extras, instead]) => {
      const kept = instead ? query.filter(([name]) => extras.every(([other]) => other !== name)) : query;
      return written([...kept, ...extras]);
    });
}

const SEARCH_TYPES = fc.constantFrom('contact', 'message%2Csale');

/** A wait of up to half a minute is what was asked for, and fuzzes nothing. */
const isQuick = ([name, value]: [string, string]): boolean => name !== 'wait' || !/^\+?\d\d?$/.test(value);

const written = (query: [string, string][]): string =>
  query.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&');

/** Cursors of any list, whole or cut. */
const cursors = fc
  .tuple(fc.constantFrom('cursor', 'cut_cursor'), fc.nat(50))
  .map(([name, nth]) => place(name, nth));

function valueOf(document: Document, name: string, schema: Schema, hook?: string): fc.Arbitrary<string> {
  if (name === 'token') return fc.constant(place(`${hook?.replace('-', '_')}_token`));
  // Which cursors belong to a list is not known beforehand: the first page is valid, others come with the changes.
  if (name === 'cursor' || name === 'after') return fc.constant('');
  if (name === 'before') return fc.constant('latest');
  if (name === 'email' || name === 'domain') return fitting(document, { type: 'string' }, name).map(encoded);
  if (name === 'limit' || name === 'wait') return fitting(document, schema, name).map(String);
  return fitting(document, schema, name).map(encoded);
}

const encoded = (value: unknown): string =>
  isPlace(String(value)) ? String(value) : encodeURIComponent(String(value));

/** Without what stands for a page that is not asked for, and with dates that make a window. */
function inOrder({ cursor: _, after: __, sort, ...given }: Record<string, string>): Record<string, string> {
  // What has changed since then has an order of its own.
  const query: Record<string, string> = {
    ...given,
    ...(sort !== undefined && !('updated_since' in given) && { sort }),
  };
  const { start_date, end_date } = query;
  if (start_date === undefined || end_date === undefined) return query;
  const times = [start_date, end_date].map((one) => Date.parse(decodeURIComponent(one)));
  if (times[0]! < times[1]!) return query;
  if (times[0]! > times[1]!) return { ...query, start_date: end_date, end_date: start_date };
  return { ...query, end_date: '2100-01-01T00:00:00Z' };
}

/** With the agent and the stage that a figure needs, and without those that it does not have. */
function withItsOwn({ agent_id, status_id, ...query }: Record<string, string>): Record<string, string> {
  const { figure, interval } = query;
  // Of the longest windows there are more intervals than a series may have.
  if (interval !== undefined)
    return { ...query, start_date: '2026-01-01T05:30:00.5Z', end_date: '2026-01-15T12:30:00Z' };
  const given = {
    ...(agent_id !== undefined && { agent_id }),
    ...(status_id !== undefined && { status_id }),
  };
  if (figure === undefined) return { ...query, ...given };
  if (figure === 'pipeline') return { ...query, status_id: place('status_id'), ...given };
  if (figure === 'conversationsRespondedTo' || figure === 'messagesSent')
    return { ...query, agent_id: agent_id ?? place('agent_id') };
  return figure.startsWith('sales') && agent_id !== undefined ? { ...query, agent_id } : query;
}

function headersOf(
  operation: Operation,
  type: string,
  changed: string[],
): fc.Arbitrary<Record<string, string>> {
  const right = type === 'multipart/form-data' ? `${type}; boundary=x` : type;
  const types = changed.includes('type') ? fc.constantFrom(right, ...TYPES) : fc.constant(right);
  const others = [
    ...(changed.includes('headers') ? [HEADERS] : []),
    ...(changed.includes('keys') ? [KEYS] : []),
  ].map((some) => fc.record(some, { requiredKeys: [], noNullPrototype: true }));
  return fc.tuple(types, ...others).map(([contentType, ...headers]) => ({
    ...(Object.assign({}, ...headers) as Record<string, string>),
    ...(operation.spec.requestBody && { 'content-type': contentType }),
  }));
}

function bodyOf(
  document: Document,
  operation: Operation,
  type: string,
  isChanged: boolean,
): fc.Arbitrary<Buffer | undefined> {
  if (operation.path.endsWith('/channels/{channel_id}/email')) return isChanged ? changedMails : mails;
  const { schema } = operation.spec.requestBody.content[type];
  const bodies = bodiesOf(document, operation, schema);
  if (type !== 'application/json') {
    const isUpload = operation.path.endsWith('/files');
    const forms = bodies.map((form) => asForm(type, Object.entries(form as object), isUpload));
    return isChanged ? broken(forms) : forms.map((form) => Buffer.from(form));
  }
  if (!isChanged) return bodies.map((body) => Buffer.from(JSON.stringify(body)));
  return fc.oneof(
    { weight: 12, arbitrary: mutated(bodies).map((text) => Buffer.from(text)) },
    { weight: 4, arbitrary: broken(bodies.map((body) => JSON.stringify(body))) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** A channel is of the modality in the path, a pipeline is made of new stages: others may be dropped by then. */
function bodiesOf(document: Document, { path, method }: Operation, schema: Schema): fc.Arbitrary<unknown> {
  if (method === 'PUT' && path.endsWith('/channels/{modality}')) return fitting(document, schema.oneOf[0]);
  if (method === 'PUT' && path.endsWith('/sale-statuses'))
    return fc
      .tuple(fitting(document, schema.items), fc.array(fc.constantFrom('Lost', 'Won'), { maxLength: 2 }))
      .map(([stage, more]) => [
        { ...(stage as object), status_id: undefined },
        ...[1, 2, 3].map((nth) => ({ label: `Stage ${nth}` })),
        ...more.map((label) => ({ label })),
      ]);
  const bodies = fitting(document, schema);
  const records = /\/(\w+)\/by-external-id\//.exec(path)?.[1];
  // The external id is that of the path.
  if (records !== undefined)
    return bodies.map((body) => ({ ...(body as object), external_id: undefined, ...NEEDED[records] }));
  return path.endsWith('/form') ? bodies.map((form) => ({ ...(form as object), name: 'Grace' })) : bodies;
}

const asForm = (type: string, fields: [string, unknown][], areFiles: boolean): string =>
  type === 'multipart/form-data'
    ? `${fields.map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${encodeURIComponent(name)}"${areFiles ? '; filename="x"' : ''}\r\n\r\n${asText(value)}\r\n`).join('')}--x--\r\n`
    : new URLSearchParams(fields.map(([name, value]) => [name, asText(value)])).toString();

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
