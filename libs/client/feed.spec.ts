import { createClient } from './client.js';

const ORGANIZATION = '/api/v2/organizations/{organization_id}';
const json = (body: object, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** A client that is given these answers, and the queries of its requests. */
function clientOf(answers: (Response | Error | ((request: Request) => Promise<Response>))[]) {
  const queries: string[] = [];
  const client = createClient({
    baseUrl: 'http://service.example',
    organizationId: 'org_1',
    fetch: async (request) => {
      queries.push(decodeURIComponent(new URL(request.url).search));
      const next = answers.shift();
      if (next === undefined) throw new Error('It was not expected to ask again');
      if (next instanceof Error) throw next;
      return typeof next === 'function' ? next(request) : next;
    },
  });
  return { client, queries };
}

const page = (positions: number[], next_after: string | null, has_more: boolean) =>
  json({ data: positions.map((position) => ({ position: String(position) })), next_after, has_more });

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const row of rows) got.push(row);
  return got;
}

describe('a list', () => {
  it('is gone through page by page with the same filters', async () => {
    const { client, queries } = clientOf([
      json({ data: [{ task_id: 'a' }, { task_id: 'b' }], pagination: { next_cursor: 'c1' } }),
      json({ data: [], pagination: { next_cursor: 'c2' } }),
      json({ data: [{ task_id: 'c' }], pagination: { next_cursor: null } }),
    ]);
    const rows = await all(client.pages(`${ORGANIZATION}/tasks`, { params: { query: { open: true } } }));
    expect(rows.map(({ task_id }) => task_id)).toEqual(['a', 'b', 'c']);
    expect(queries).toEqual(['?open=true', '?open=true&cursor=c1', '?open=true&cursor=c2']);
  });

  it('asks for a page only once it is gone through so far', async () => {
    const { client, queries } = clientOf([
      json({ data: [{ task_id: 'a' }, { task_id: 'b' }], pagination: { next_cursor: 'c1' } }),
    ]);
    for await (const { task_id } of client.pages(`${ORGANIZATION}/tasks`)) if (task_id === 'b') break;
    expect(queries).toHaveLength(1);
  });
});

describe('the feed up to its end', () => {
  it('is read from a position, over pages in which nothing is of the types', async () => {
    const { client, queries } = clientOf([page([1], '1', true), page([], '5', true), page([6], '6', false)]);
    const types = ['TaskCreated', 'TaskDeleted'] as const;
    const events = await all(client.events({ after: '0', types, recordId: 'task_1', live: false }));
    expect(events.map(({ position }) => position)).toEqual(['1', '6']);
    const query = (after: number) =>
      `?after=${after}&types=TaskCreated,TaskDeleted&record_id=task_1&limit=200`;
    expect(queries).toEqual([query(0), query(1), query(5)]);
  });

  it('ends at once where there is nothing', async () => {
    const { client, queries } = clientOf([page([], null, false)]);
    expect(await all(client.events({ live: false }))).toEqual([]);
    expect(queries).toEqual(['?limit=200']);
  });

  it('ends quietly by its signal, between two events', async () => {
    const stop = new AbortController();
    const { client } = clientOf([page([1, 2], '2', true)]);
    const got: string[] = [];
    for await (const { position } of client.events({ live: false, signal: stop.signal })) {
      got.push(position);
      stop.abort();
    }
    expect(got).toEqual(['1']);
  });
});
