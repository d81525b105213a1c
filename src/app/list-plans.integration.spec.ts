import { Pages } from '#http/paging/page.js';
import { directoryOf } from '../../test/support/database/directory.js';
import { explaining, faultsOf, type Node } from '../../test/support/database/explained.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { ConversationQueries } from '../conversations/conversations.queries.js';
import { CrmQueries } from '../crm/crm.queries.js';
import { DraftQueries } from '../drafts/drafts.queries.js';
import { SalesQueries } from '../sales/sales.queries.js';
import { TasksQueries } from '../tasks/tasks.queries.js';

const ROWS = 100_000;
/** Rows that a statement may look at for a page, of which two filters let through one in hundreds. */
const MOST_ROWS = 0.3 * ROWS;
/** Smaller tables may be read whole. */
const SMALL = 1_000;

const ORGANIZATION = 'org_01hzy3v7q4e8k9m2n5p6r7s8t9';
const AT = `'2026-01-01Z'::timestamptz + n * interval '1 minute'`;

/** Half of them long ago, half of them far ahead, in no order. */
const DUE = `${AT.replace('n *', 'n * 7919 % 100000 *')} + n / 2 % 2 * interval '10 years'`;

/** Not in the order in which they were made. */
const UPDATED = AT.replace('n *', 'n * 4231 % 100000 *');

/** Three of thirteen rows have the first of these tags, one of fifty has the second, one of a thousand the third. */
const TAG_IDS = `CASE WHEN n % 13 < 3 OR n % 50 = 1 OR n % 1000 = 2 THEN array_remove(ARRAY[
  CASE WHEN n % 13 < 3 THEN 'tag_common' END, CASE WHEN n % 50 = 1 THEN 'tag_some' END, CASE WHEN n % 1000 = 2 THEN 'tag_rare' END], NULL) END`;

/** Rows that differ as those of a busy organization do. */
const FILL = [
  `INSERT INTO company (organization_id, company_id, name, name_key, custom_fields, created_at, updated_at, tag_ids, stream_version)
   SELECT $1, 'company_' || n, 'Company ' || n, substr(md5('c' || n), 1, 6), jsonb_build_object('plan', n % 50), ${AT}, ${UPDATED}, ${TAG_IDS}, 1
     FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO contact (organization_id, contact_id, name, name_key, email, phone_number, email_key, company_id, custom_fields, created_at,
                        updated_at, tag_ids, stream_version)
   SELECT $1, 'contact_' || n, 'Contact ' || n, substr(md5(n::text), 1, 6), n || '@x.example', '', n || '@x.example',
          'company_' || n % 1000, jsonb_build_object('plan', n % 50), ${AT}, ${UPDATED}, ${TAG_IDS}, 1 FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO conversation (organization_id, conversation_id, contact_id, folder, is_read, agent_id, start_at, last_activity_at,
                             last_message_id, last_modality, has_beginning, waiting_since, status, snoozed_until, updated_at, tag_ids, stream_version)
   SELECT $1, 'conv_' || n, 'contact_' || n % 50000, 'folder ' || n / 20 % 10, n % 7 > 0, CASE WHEN n % 3 > 0 THEN 'agent_' || n % 20 END, ${AT}, ${AT},
          'msg', CASE n % 20 WHEN 0 THEN 'call' WHEN 1 THEN 'text' ELSE 'email' END, true, CASE WHEN n % 11 = 0 THEN ${AT} END,
          CASE WHEN n % 101 = 0 THEN 'open' WHEN n % 103 = 0 THEN 'snoozed' ELSE 'closed' END,
          CASE WHEN n % 101 > 0 AND n % 103 = 0 THEN ${AT} + interval '10 years' END, ${UPDATED}, ${TAG_IDS}, 1
     FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO draft (organization_id, draft_id, kind, conversation_id, cc_emails, bcc_emails, add_notification, folder, agent_id, created_at,
                      scheduled_send_at, links, was_overwritten, cancel_on_reply, files, delivery, updated_at, stream_version)
   SELECT $1, kind || '_' || n, kind, CASE kind WHEN 'response' THEN 'conv_' || n END, '[]', '[]', false, 'folder ' || n % 10,
          'agent_' || n / 7 % 20, ${AT}, CASE WHEN n % 4 = 0 THEN ${AT} END, '[]', false, false, '[]',
          jsonb_build_object('status', CASE n % 9 WHEN 0 THEN 'queued' WHEN 1 THEN 'failed' ELSE 'none' END), ${UPDATED}, 1
     FROM generate_series(1, ${ROWS}) n, unnest(ARRAY['message', 'response']) kind WHERE kind = 'message' OR n / 3 % 20 = 0`,
  `INSERT INTO sale (organization_id, sale_id, company_id, owner_id, associated_contacts, associated_conversation_ids, status_id, status_history,
                     quote_details, custom_fields, created_at, last_activity_at, expected_close_on, updated_at, tag_ids, stream_version)
   SELECT $1, 'sale_' || n, 'company_' || n % 1000, 'agent_' || n % 20,
          jsonb_build_array(jsonb_build_object('contact_id', 'contact_' || n % 5000)), '[]', 'stage_' || n % 6, '[]',
          CASE WHEN n % 4 > 0 THEN jsonb_build_object('output', jsonb_build_object('total_price', (n % 1000)::text)) END,
          jsonb_build_object('plan', n % 50), ${AT}, ${AT},
          CASE WHEN n % 7 > 1 THEN ('2026-01-01'::date + n * 7919 % 1000)::text END, ${UPDATED}, ${TAG_IDS}, 1 FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO tag SELECT $1, 'tag_' || name, name, NULL, now(), name, name, 1 FROM unnest(ARRAY['common', 'some', 'rare']) name`,
  `INSERT INTO sale_conversation SELECT $1, 'conv_' || n, 'sale_' || n FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO task (organization_id, task_id, title, due_at, completed_at, agent_id, company_id, contact_id, sale_id, created_at, updated_at,
                     stream_version)
   SELECT $1, 'task_' || n, 'Task', CASE WHEN n % 3 > 0 THEN ${DUE} END, CASE WHEN n % 2 = 0 THEN ${AT} END, 'agent_' || n / 7 % 20,
          'company_' || n % 1000, 'contact_' || n % 5000, 'sale_' || n % 5000, ${AT}, ${UPDATED}, 1 FROM generate_series(1, ${ROWS}) n`,
  ...['contact', 'company', 'sale', 'task'].map(
    (kind) =>
      `INSERT INTO ${kind}_external_id SELECT $1, encode(sha256(('id ' || n)::bytea), 'hex'), '${kind}_' || n FROM generate_series(1, ${ROWS}) n`,
  ),
];

/** Tags that many rows have, some, and few. */
const TAGS = [
  { tag_id: ['tag_common'] },
  { tag_id: ['tag_some'] },
  { tag_id: ['tag_rare'] },
  { tag_id: ['tag_common', 'tag_rare'] },
  { tag_id: ['tag_nowhere'] },
];

let test: TestDatabase;
/** The plan of the statement that ran last. */
let plan: Node;

beforeAll(async () => {
  test = await testDatabase();
  for (const text of FILL) await test.database.query({ text, values: [ORGANIZATION] });
  await test.database.query({ text: 'ANALYZE' });
});
afterAll(() => test.close());

type Query = Record<string, unknown>;
type Lists = Record<string, { list: (query: Query) => Promise<unknown>; filters: Query[]; sorts: string[] }>;

function lists(): Lists {
  const pages = new Pages(
    explaining(test.database, (seen) => (plan = seen)),
    Buffer.alloc(32),
  );
  const directory = Object.assign(directoryOf(test.database), {
    customFilter: (_: string, __: string, values?: Query) => Promise.resolve(values),
    organization: () => Promise.resolve({ default_region: 'US' }),
  });
  const { database } = test;
  const crm = new CrmQueries(database, pages, directory);
  const conversations = new ConversationQueries(database, pages);
  const drafts = new DraftQueries(database, pages);
  const sales = new SalesQueries(database, pages, directory);
  const tasks = new TasksQueries(database, pages);
  const half = new Date(Date.UTC(2026, 0, 1) + (ROWS / 2) * 60_000).toISOString();
  const draftFilters = [
    { status: 'failed' },
    { status: 'saved' },
    { folder: 'folder 3' },
    { agent_id: 'agent_7' },
  ];
  return {
    conversations: {
      list: (query) => conversations.list(ORGANIZATION, query),
      sorts: ['-last_activity_at', 'last_activity_at', 'waiting_since'],
      filters: [
        { folder: 'folder 3' },
        { is_read: true },
        { is_read: false },
        { agent_id: 'agent_7' },
        { agent_id: 'none' },
        { contact_id: 'contact_77' },
        { company_id: 'company_77' },
        { modality: 'call' },
        { modality: 'email' },
        { waiting: true },
        { waiting: false },
        { has_draft: true },
        { has_draft: false },
        { status: ['open'] },
        { status: ['closed'] },
        { status: ['snoozed', 'closed'] },
        { status: ['open', 'snoozed'] },
        ...TAGS,
      ],
    },
    contacts: {
      list: (query) => crm.listContacts(ORGANIZATION, query),
      sorts: ['-created_at', 'name', '-last_activity_at'],
      filters: [
        { name: 'ab' },
        { email: '77@x.example' },
        { company_id: 'company_77' },
        { custom_fields: { plan: 7 } },
        { start_date: half },
        { external_id: 'id 77' },
        ...TAGS,
      ],
    },
    companies: {
      list: (query) => crm.listCompanies(ORGANIZATION, query),
      sorts: ['-created_at', 'name'],
      filters: [
        { name: 'ab' },
        { custom_fields: { plan: 7 } },
        { end_date: half },
        { external_id: 'id 77' },
        ...TAGS,
      ],
    },
    sales: {
      list: (query) => sales.list(ORGANIZATION, query),
      sorts: ['-last_activity_at', '-created_at', '-value'],
      filters: [
        { status_id: 'stage_3' },
        { owner_id: 'agent_7' },
        { company_id: 'company_77' },
        { contact_id: 'contact_77' },
        { conversation_id: 'conv_77' },
        { min_value: '900' },
        { max_value: '100' },
        { custom_fields: { plan: 7 } },
        { external_id: 'id 77' },
        { closing_before: '2026-03-01' },
        { closing_after: '2028-01-01' },
        ...TAGS,
      ],
    },
    tasks: {
      list: (query) => tasks.list(ORGANIZATION, query),
      sorts: ['-created_at', 'due_at'],
      filters: [
        { agent_id: 'agent_7' },
        { open: true },
        { open: false },
        { sale_id: 'sale_77' },
        { due_before: half },
        { due_after: half },
        { overdue: true },
        { overdue: false },
        { external_id: 'id 77' },
      ],
    },
    'message drafts': {
      list: (query) => drafts.listMessageDrafts(ORGANIZATION, query),
      sorts: ['-created_at', 'scheduled_send_at'],
      filters: draftFilters,
    },
    'response drafts': {
      list: (query) => drafts.listResponseDrafts(ORGANIZATION, query),
      sorts: ['-created_at', 'scheduled_send_at'],
      filters: draftFilters,
    },
  };
}

/** What has changed since long ago, and since just now. */
const SINCE: Query[] = [{ updated_since: '2026-01-01T00:00:00Z' }, { updated_since: '2026-03-11T00:00:00Z' }];

/** What nothing can be: an order of open tasks of those that are done, or a draft that is saved and leaves. */
const isImpossible = ({ sort, open, overdue, status }: Query): boolean =>
  (open === false && (sort === 'due_at' || overdue === true)) ||
  (status === 'saved' && sort === 'scheduled_send_at');

it.each(['conversations', 'contacts', 'companies', 'sales', 'tasks', 'message drafts', 'response drafts'])(
  'a page of %s is read by an index, with each order and any two filters',
  async (name) => {
    const { list, filters, sorts } = lists()[name]!;
    const sets = [{}, ...filters];
    for (const [nr, one] of filters.entries())
      for (const other of filters.slice(nr + 1))
        if (Object.keys(other).every((key) => !(key in one))) sets.push({ ...one, ...other });
    const faults: string[] = [];
    const orders: Query[] = [...sorts.map((sort) => ({ sort })), ...SINCE];
    for (const order of orders)
      for (const set of sets) {
        if (isImpossible({ ...set, ...order })) continue;
        await list({ ...set, ...order });
        faults.push(
          ...faultsOf(plan, { most: MOST_ROWS, small: SMALL }).map(
            (fault) => `${JSON.stringify(set)} by ${JSON.stringify(order)}: ${fault}`,
          ),
        );
      }
    expect(faults).toEqual([]);
  },
);
