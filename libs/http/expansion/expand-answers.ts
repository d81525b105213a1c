import type { FastifyInstance, FastifyRequest } from 'fastify';
import { known } from '#kernel/known.js';
import type { ApiRequest } from '../access/caller.js';
import { noteRead, type ReadElsewhere } from '../input/read-elsewhere.js';
import { firstOfPage, isPage } from '../paging/page-ends.js';
import { invalid } from '../problems/problem.js';
import { EXPAND, type Expanding, type Expansions } from './expandable.js';
import { expanded, type Wanted } from './expanded.js';
import type { RecordReaders } from './record-readers.js';

/** What requests under way ask for. */
const wantedBy = new WeakMap<FastifyRequest, Wanted>();

const NOTHING_WRONG: ReadElsewhere = { names: [EXPAND], problems: [] };

/**
 * Carries out `expand` on the routes that are `Expandable`: takes it out of the query before that is checked, and puts what it
 * names into the answer before that is written. Hooks, so that reads without it pay for no interceptor. Call it before
 * `tagAnswers`: what is expanded changes without the record's version, so such an answer has no `ETag`.
 */
export function expandAnswers(server: FastifyInstance, readers: RecordReaders): void {
  server.addHook('onRoute', (route) => {
    const { expansions } = (route.config ?? {}) as Expanding;
    // Of the route itself, since a hook of all would look up each request's route.
    if (expansions)
      route.preValidation = (request, _reply, done) => {
        noteRead(request.query as object, takeExpand(request, expansions));
        done();
      };
  });
  server.addHook('preSerialization', (request, _reply, payload, done) => {
    const wanted = wantedBy.get(request);
    if (!wanted) return done(null, payload);
    expandPayload(readers, request as ApiRequest, wanted, payload as object).then(
      (body) => done(null, body),
      (error: unknown) => done(error as Error),
    );
  });
}

function takeExpand(request: FastifyRequest, expansions: Expansions): ReadElsewhere {
  const query = request.query as Record<string, unknown>;
  const { [EXPAND]: given } = query;
  if (given === undefined) return NOTHING_WRONG;
  delete query[EXPAND];
  const names = typeof given === 'string' ? [...new Set(given.split(',').map((name) => name.trim()))] : [];
  const wanted: Wanted = names.flatMap((name) =>
    Object.hasOwn(expansions, name) ? [[name, expansions[name]!]] : [],
  );
  if (names.length > 0 && wanted.length === names.length) {
    wantedBy.set(request, wanted);
    return NOTHING_WRONG;
  }
  const unknown = names.filter((name) => !Object.hasOwn(expansions, name));
  const told = known(Object.keys(expansions));
  return { names: [EXPAND], problems: [{ field: EXPAND, detail: `${refusalOf(names, unknown)}; ${told}` }] };
}

function refusalOf(names: string[], unknown: string[]): string {
  if (names.length === 0) return 'must be given once, with names separated by commas';
  return unknown.includes('') ? 'must not have an empty name' : `has no ${unknown.join(', ')}`;
}

async function expandPayload(
  readers: RecordReaders,
  { params }: ApiRequest,
  wanted: Wanted,
  payload: object,
): Promise<object> {
  const expand = (records: readonly object[]) =>
    expanded(readers, params['organization_id']!, wanted, records);
  if (!isPage(payload)) return (await expand([payload]))[0] ?? refuse();
  const { data } = payload;
  if (data.length === 0) return payload;
  const all = await expand(data);
  // What the first of many names may not have been read for lack of room.
  const shown = all.length > 0 ? all : await expand(data.slice(0, 1));
  if (shown.length === 0) refuse();
  return { ...firstOfPage(payload, shown.length), data: shown };
}

function refuse(): never {
  const detail = 'names more than fits into one answer; read those records by themselves';
  throw invalid([{ field: EXPAND, detail }]);
}
