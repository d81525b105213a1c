import { Pages } from '#http/paging/page.js';
import { explaining, faultsOf, type Node } from '../../test/support/database/explained.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { AuditQueries } from '../audit/audit.queries.js';
import type { Names } from '../workspace/workspace.contract.js';

const ROWS = 300_000;
/** An import at the end, of one key of an agent: what nobody asks for must not be in the way of the rest. */
const IMPORTED = 100_000;
/** Rows of a page, and the one behind it. */
const PAGE = 51;
/** A page of each kind of record, action and actor that there is. */
const MOST_ROWS = 30 * PAGE;
/** A field that an agent or a key has seldom changed is looked for among what it did. */
const MOST_OF_TWO = 0.02 * ROWS;

const ORGANIZATION = 'org_01hzy3v7q4e8k9m2n5p6r7s8t9';
const OTHER = 'org_01hzy3v7q4e8k9m2n5p6r7s8t8';

/** Kinds of change, each with its share of a hundred, who makes it, and what changes. */
const KINDS = `(VALUES
  (40, 'conversation', 'update', 'provider', '{last_activity_at,is_read}'),
  (15, 'conversation', 'insert', 'provider', '{conversation_id,contact_id,start_at,last_activity_at,is_read}'),
  (10, 'conversation', 'update', 'agent', '{is_read}'),
  (5, 'conversation', 'update', 'agent', '{folder}'),
  (10, 'response_draft', 'insert', 'agent', '{response_id,conversation_id,body_html,created_at}'),
  (9, 'response_draft', 'delete', 'system', '{response_id,conversation_id,body_html,created_at}'),
  (1, 'response_draft', 'delete', 'agent', '{response_id,conversation_id,body_html,created_at}'),
  (3, 'sale', 'update', 'agent', '{current_status,status_history,last_activity_at}'),
  (2, 'sale', 'insert', 'key', '{sale_id,current_status,status_history,created_at,last_activity_at}'),
  (2, 'contact', 'insert', 'provider', '{contact_id,name,email,created_at}'),
  (1, 'contact', 'update', 'agent', '{email}'),
  (1, 'company', 'update', 'agent', '{domain}'),
  (1, 'task', 'update', 'agent', '{completed_at}')
) AS kind (share, record_type, action_type, actor_type, fields)`;

const FILL = `
  INSERT INTO audit_log (organization_id, audit_log_id, occurred_at, agent_id, action_type, record_type, record_id, changes, fields, actor,
                         actor_type, key_id, request_id, event_id)
  SELECT CASE WHEN n % 10 = 0 THEN $2 ELSE $1 END, 'audit_' || lpad(n::text, 8, '0'), '2026-01-01Z'::timestamptz + n * interval '1 minute',
         CASE kind.actor_type WHEN 'agent' THEN 'agent_' || n % 20 END, kind.action_type, kind.record_type,
         kind.record_type || '_' || n % 30000,
         (SELECT jsonb_agg(jsonb_build_object('field', field, 'from', null, 'to', n)) FROM unnest(kind.fields::text[]) field),
         to_jsonb(kind.fields::text[]), jsonb_build_object('type', kind.actor_type, 'id', CASE kind.actor_type WHEN 'agent' THEN 'agent_' || n % 20 WHEN 'key' THEN 'key_' || n % 20 END),
         kind.actor_type, CASE WHEN kind.actor_type IN ('agent', 'key') THEN 'key_' || n % 20 END, 'request_' || n / 2, 'event_' || n
    FROM generate_series(1, ${ROWS - IMPORTED}) n
    JOIN (SELECT kind.*, sum(share) OVER (ORDER BY fields, share, actor_type ROWS UNBOUNDED PRECEDING) AS upto FROM ${KINDS}) kind
      ON n * 7919 % 100 >= upto - share AND n * 7919 % 100 < upto
   UNION ALL
  SELECT $1, 'audit_' || lpad(n::text, 8, '0'), '2026-01-01Z'::timestamptz + n * interval '1 minute', 'agent_7', 'insert', 'contact',
         'contact_' || n, '[{"field": "contact_id"}, {"field": "name"}, {"field": "email"}]', '["contact_id", "name", "email"]',
         '{"type": "agent", "id": "agent_7"}', 'agent', 'key_7',
         'request_' || n, 'event_' || n
    FROM generate_series(${ROWS - IMPORTED + 1}, ${ROWS}) n`;

type Query = Record<string, unknown>;

const FILTERS: Query[] = [
  { agent_id: 'agent_7' },
  { agent_id: 'agent_nobody' },
  { key_id: 'key_7' },
  { record_id: 'sale_77' },
  { request_id: 'request_7777' },
  { field: 'current_status' },
  { field: 'domain' },
  { field: 'email' },
  { field: 'nothing' },
  { actor_type: ['agent'] },
  { actor_type: ['operator'] },
  { actor_type: ['agent', 'key', 'operator', 'provider'] },
  { action_type: ['delete'] },
  { action_type: ['insert', 'delete'] },
  { record_type: ['sale'] },
  { record_type: ['task', 'company'] },
  { record_type: ['webhook'] },
  { record_type: ['all'] },
  { start_date: '2026-02-01T00:00:00Z', end_date: '2026-02-02T00:00:00Z' },
];

let test: TestDatabase;
let audit: AuditQueries;
/** The plan of the statement that ran last. */
let plan: Node;

beforeAll(async () => {
  test = await testDatabase();
  const { database } = test;
  await database.query({ text: FILL, values: [ORGANIZATION, OTHER] });
  await database.query({
    text: `INSERT INTO api_key (key_id, name, organization_ids, read_only, secret_hash, earlier_secrets, created_at)
           VALUES ('key_7', 'Import', $1, false, '', '[]', now())`,
    values: [[ORGANIZATION, OTHER]],
  });
  await database.query({ text: 'ANALYZE' });
  const pages = new Pages(
    explaining(database, (seen) => (plan = seen)),
    Buffer.alloc(32),
  );
  audit = new AuditQueries(database, pages, { of: () => Promise.resolve(new Map()) } as unknown as Names);
});
afterAll(() => test.close());

const LISTS: Record<string, (query: Query) => Promise<unknown>> = {
  'an organization': (query) => audit.list(ORGANIZATION, query),
  'all organizations': (query) => audit.listAll(query),
  'one of all organizations': (query) => audit.listAll({ ...query, organization_id: ORGANIZATION }),
};

/** What is wrong with the plans for these filters. */
async function faults(list: (query: Query) => Promise<unknown>, sets: Query[], most: number) {
  const found: string[] = [];
  for (const set of sets) {
    await list(set);
    found.push(...faultsOf(plan, { most, small: PAGE }).map((fault) => `${JSON.stringify(set)}: ${fault}`));
  }
  return found;
}

it.each(Object.keys(LISTS))('a page of %s costs a page, by any filter', async (name) => {
  expect(await faults(LISTS[name]!, [{}, ...FILTERS], MOST_ROWS)).toEqual([]);
});

it.each(Object.keys(LISTS))('a page of %s costs a page, by any two filters', async (name) => {
  const pairs = FILTERS.flatMap((one, nr) =>
    FILTERS.slice(nr + 1).flatMap((other) =>
      Object.keys(other).some((key) => key in one) ? [] : [{ ...one, ...other }],
    ),
  );
  expect(pairs.length).toBeGreaterThan(100);
  const isByWhomAndField = (set: Query) => 'field' in set && ('agent_id' in set || 'key_id' in set);
  const others = pairs.filter((set) => !isByWhomAndField(set));
  expect(await faults(LISTS[name]!, others, MOST_ROWS)).toEqual([]);
  expect(await faults(LISTS[name]!, pairs.filter(isByWhomAndField), MOST_OF_TWO)).toEqual([]);
});
