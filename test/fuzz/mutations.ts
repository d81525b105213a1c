import fc from 'fast-check';
import type { Json } from '../support/clients/client.js';
import { place } from './values.js';
import { TRAP_NAMES, trapJson } from './traps.js';

/** Marks where a JSON text goes that no value of JavaScript could be written as. */
const HOLE = '\u2063hole';

const KINDS = ['replace', 'replace', 'replace', 'add', 'remove', 'double', 'wrap', 'id'] as const;

interface Mutation {
  kind: (typeof KINDS)[number];
  /** Chooses among the places that there are. */
  at: number;
  name: string;
  trap: string;
  id: string;
}

const IDS = [
  'contact_id',
  'company_id',
  'agent_id',
  'conversation_id',
  'message_id',
  'sale_id',
  'task_id',
  'tag_id',
  'draft_id',
  'response_id',
  'status_id',
  'foreign_contact_id',
  'foreign_organization_id',
  'cut_contact_id',
];

export const anyId = fc.tuple(fc.constantFrom(...IDS), fc.nat(20)).map(([name, nth]) => place(name, nth));

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(...KINDS),
  at: fc.nat(1_000),
  name: fc.constantFrom(...TRAP_NAMES),
  trap: trapJson,
  id: anyId,
});

/** JSON texts of these bodies with one to three things about them changed. */
export const mutated = (bodies: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc
    .tuple(bodies, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([body, mutations]) => mutations.reduce(mutate, JSON.stringify(body)));

/** A text that cannot be read, or is nested too deep to be written, stays as it is. */
function mutate(text: string, mutation: Mutation): string {
  try {
    return changed(text, mutation);
  } catch {
    return text;
  }
}

function changed(text: string, { kind, at, name, trap, id }: Mutation): string {
  if (kind === 'wrap') return at % 2 === 0 ? `[${text}]` : `{"${name}":${text}}`;
  const body: Json = JSON.parse(text);
  const places = placesIn(body);
  if (places.length === 0) return trap;
  const [holder, key] = places[at % places.length]!;
  if (kind === 'remove') delete holder[key];
  else if (kind === 'replace' || kind === 'double') holder[key] = HOLE;
  else if (kind === 'id') holder[key] = id;
  else
    Object.defineProperty(holder, name, {
      value: HOLE,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  const isDouble = kind === 'double' && !Array.isArray(holder);
  const value = isDouble ? `${trap},${JSON.stringify(key)}:${trap}` : trap;
  return JSON.stringify(body).replace(`"${HOLE}"`, () => value);
}

/** Every property and item of the body, as deep as people write them. */
function placesIn(value: Json, depth = 0): [holder: Json, key: string][] {
  if (typeof value !== 'object' || value === null || depth > 8) return [];
  return Object.keys(value).flatMap((key) => [
    [value, key] as [Json, string],
    ...placesIn(value[key], depth + 1),
  ]);
}

const BREAKS: ((text: string, at: number) => string)[] = [
  (text, at) => text.slice(0, at % (text.length + 1)),
  (text, at) => text.slice(at % (text.length + 1)),
  (text) => `${text}${text}`,
  (text) => `\uFEFF${text}`,
  (text, at) => `${text.slice(0, at % (text.length + 1))}\u0000${text.slice(at % (text.length + 1))}`,
  (text) => text.replaceAll('"', "'"),
  (text) => text.replace('{', '{"__proto__":{"name":"x"},'),
  (text) => text.replace('{', '{"constructor":{"prototype":{}},'),
  (text) => text.replace('{', '{"prototype":1,'),
  () => '',
  () => ' ',
  () => 'null',
];

/** The same texts as bytes that are no JSON, or no UTF-8. */
export const broken = (texts: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(texts, fc.constantFrom(...BREAKS), fc.nat(2_000)).map(brokenText) },
    { weight: 1, arbitrary: fc.tuple(texts, fc.nat(2_000), fc.nat(255)).map(brokenBytes) },
  );

const brokenText = ([text, broke, at]: [string, (typeof BREAKS)[number], number]): Buffer =>
  Buffer.from(broke(text, at));

/** One byte becomes another, which most often leaves a sequence of UTF-8 without its end. */
function brokenBytes([text, at, byte]: [string, number, number]): Buffer {
  const bytes = Buffer.from(`${text}é`);
  bytes[at % bytes.length] = byte;
  return bytes.subarray(0, at % 2 === 0 ? bytes.length : bytes.length - 1);
}
