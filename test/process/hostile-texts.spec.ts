import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type Json, openApi } from '../support/clients/client.js';
import { exampleOf, withIds } from '../support/clients/examples.js';
import { bodySchema, filled, type Operation, operationsOf } from '../support/clients/openapi.js';
import { type Furnished, furnishedWorkspace } from '../support/data/records.js';
import { needs } from '../support/needs.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

/** Characters up to which the fields of a body are filled together. */
const SHORT = 10_000;
/** How many times a harmless text of the same length a hostile one may cost. */
const TIMES = 10;
/** Milliseconds of the thread that a request may take at any rate (contract, section 11). */
const BUDGET_MS = 100;
/** Each field gets a quarter of the texts, another one than the field before, and HTML all styles; all of them on demand, in ten minutes. */
const ALL = process.env['PARLEY_HOSTILE_TEXTS'] === 'all';
if (ALL) jest.setTimeout(3_600_000);

const repeated = (part: string) => (length: number) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);
/** As long as it was asked for: what is around has 17 characters. */
const inStyle = (part: string) => (length: number) => `<p style="${repeated(part)(length - 17)}">x</p>`;
const harmless = repeated('Dear Ann, thank you for the offer. We have read it twice. ');

const HOSTILE: [name: string, make: (length: number) => string][] = [
  ...[
    'a b ',
    '> \n',
    '> a\nb\n',
    '%41',
    '<',
    '<b>',
    '<!--',
    '<p style="a:b">',
    '<a href="http://x.y/">z</a>',
    '&#60;',
    '\n',
    ' ',
    'From: a\n',
    '--\n',
    'On a wrote:\n',
    '漢字',
    'e\u0301\u0323',
    '\u202e',
    '{{',
    '{{contact.name}}',
    'http://a.b ',
    'a@b.c ',
    '+1 ',
    '((((',
    '|a|b|\n',
    '"',
  ].map((part): [string, (length: number) => string] => [JSON.stringify(part), repeated(part)]),
  ...['{', 'a{', 'a:b;', '(', "'", 'url(', '/*', '\\'].map((part): [string, (length: number) => string] => [
    `a style of ${part}`,
    inStyle(part),
  ]),
];

interface Field {
  path: string[];
  most: number;
}

/** The string fields of a body that may hold any text. */
function fieldsOf(document: Json, operation: Operation): Field[] {
  const found: Field[] = [];
  const walk = (schema: Json, path: string[]): void => {
    const one = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
    if (!one || path.length > 4) return;
    for (const each of [...(one.allOf ?? []), ...(one.oneOf ?? []), ...(one.anyOf ?? [])]) walk(each, path);
    for (const [name, property] of Object.entries<Json>(one.properties ?? {}))
      walk(property, [...path, name]);
    if (one.items) walk(one.items, [...path, '0']);
    const isText = [one.type].flat().includes('string') && !one.enum && !one.format && !one.pattern;
    const isKnown = found.some((field) => field.path.join() === path.join());
    if (isText && path.length > 0 && !isKnown) found.push({ path, most: one.maxLength ?? 1_000 });
  };
  walk(bodySchema(operation), []);
  return found;
}

function withText(body: Json, fields: Field[], make: (length: number) => string): Json {
  const copy = structuredClone(body ?? {});
  for (const { path, most } of fields) {
    let at = copy;
    path.slice(0, -1).forEach((name, index) => {
      at[name] ??= path[index + 1] === '0' ? [] : {};
      at = at[name];
    });
    at[path.at(-1)!] = make(most);
  }
  return copy;
}

needs('Linux', process.platform === 'linux').describe('A hostile text', () => {
  let server: Server;
  let furnished: Furnished;
  let operations: Operation[];
  let document: Json;

  beforeAll(async () => {
    server = await startServer();
    furnished = await furnishedWorkspace({ url: server.url });
    document = await openApi(server.url);
    operations = operationsOf(document).filter(
      ({ spec, path }) => spec.requestBody?.content['application/json'] && !path.startsWith('/hooks'),
    );
  });
  afterAll(async () => {
    await server.stop();
    removeDataDir(server.dataDir);
  });

  /** Milliseconds that the thread which serves requests has worked since it began. */
  const worked = (): number =>
    Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

  /** Milliseconds of that thread for these requests, and for what follows them. */
  async function cost(requests: () => Promise<unknown>): Promise<number> {
    const before = worked();
    await requests();
    let last = worked();
    await until(async () => {
      await sleep(50);
      const rests = worked() - last < 5;
      last = worked();
      return rests;
    });
    return last - before;
  }

  async function send(operation: Operation, fields: Field[], make: (length: number) => string) {
    const { method, path } = operation;
    const { ids, admin, api } = furnished;
    const client: Client = path.startsWith('/admin') ? admin : api;
    const body = withText(withIds(exampleOf(operation) ?? {}, ids), fields, make);
    await client.send(method, filled(path, ids), { body });
  }

  /** Those of the texts that cost too much, also when they come again: something else may have worked meanwhile. */
  async function tooCostly(
    operation: Operation,
    fields: Field[],
    texts: typeof HOSTILE,
    most: (ofHarmless: number) => number,
  ): Promise<string[]> {
    const of = (make: (length: number) => string) => cost(() => send(operation, fields, make));
    await of(harmless);
    const limit = most(await of(harmless));
    const found: string[] = [];
    for (const [name, make] of texts) {
      const costs: number[] = [];
      while (costs.length < 3 && (costs.at(-1) ?? limit + 1) > limit) costs.push(await of(make));
      const least = Math.min(...costs);
      const where = `${operation.method} ${operation.path} ${fields.map(({ path }) => path.join('.')).join()}`;
      if (least > limit) found.push(`${where}: ${name} ${Math.round(least)} ms of ${Math.round(limit)}`);
    }
    return found;
  }

  it(`of ${SHORT} characters and more costs at most ${TIMES} times as much as a harmless one, in any field`, async () => {
    const found: string[] = [];
    let nr = 0;
    for (const operation of operations)
      for (const field of fieldsOf(document, operation).filter(({ most }) => most > SHORT)) {
        const isHtml = field.path.at(-1) === 'body_html';
        const texts = HOSTILE.filter(
          ([name], index) => ALL || index % 4 === nr % 4 || (isHtml && name.startsWith('a style')),
        );
        nr++;
        found.push(...(await tooCostly(operation, [field], texts, (ms) => Math.max(BUDGET_MS, TIMES * ms))));
      }
    expect(nr).toBeGreaterThan(10);
    expect(found).toEqual([]);
  });

  it('costs no more in all short fields of a body together', async () => {
    const found: string[] = [];
    for (const operation of operations) {
      const fields = fieldsOf(document, operation).filter(({ most }) => most <= SHORT);
      if (fields.length === 0) continue;
      const costOf = (texts: ((length: number) => string)[]) =>
        cost(async () => {
          for (const make of texts) await send(operation, fields, make);
        });
      const texts = HOSTILE.map(([, make]) => make);
      await costOf([harmless]);
      const limit = 2 * (await costOf(texts.map(() => harmless))) + BUDGET_MS;
      if ((await costOf(texts)) > limit)
        found.push(...(await tooCostly(operation, fields, HOSTILE, () => BUDGET_MS)));
    }
    expect(found).toEqual([]);
  });
});
