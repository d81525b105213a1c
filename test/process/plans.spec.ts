import nodemailer from 'nodemailer';
import { Client as Database } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { Client, type Json, ok, openApi, type Query, unique } from '../support/clients/client.js';
import { rawMail } from '../support/data/mail.js';
import { multiplied } from '../support/database/many-rows.js';
import { alongWith, type Operation, operationsOf, filled } from '../support/clients/openapi.js';
import { faultsOf, otherServerFaultsOf, type Schema } from '../support/database/one-organization.js';
import { LOGGING_PLANS, type Plan, PlanLog } from '../support/database/plans.js';
import { type Furnished, furnishedWorkspace, received } from '../support/data/records.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { freePort, type Server, startServer } from '../support/server/server.js';
import { statementsIn } from '../support/database/statements.js';
import { OVER_ALL_ORGANIZATIONS } from '../support/database/statements-over-all-organizations.js';
import { busyDay } from '../support/data/busy-day.js';

/** A page is asked for with this limit, and reads one row more. */
const LIMIT = 10;
/** So many rows of a table one statement may read, and besides a block of 8 KiB for each so many of it and its index. */
const MOST_ROWS = 250;
const MOST_BLOCKS = 80;

/** Statements that may read more, by words of theirs. */
const MAY_READ_MORE: Record<string, string> = {
  'FROM organization ORDER BY': 'all organizations, for operators',
  'FROM audit_log WHERE organization_id = ANY ($1) AND audit_log_id = $2':
    'a probe for each organization, for the operator who opens one change',
  'FROM agent WHERE organization_id = $1 ORDER BY': 'all agents, for operators',
  'FROM channel ORDER BY': 'all channels, for doctor',
  'FROM webhook ORDER BY': 'all webhooks, for doctor',
  'FROM webhook GROUP BY 1': 'a metric of all webhooks, once per scrape',
  'FROM webhook_delivery WHERE status <>': 'a metric of what is open, once per scrape',
  'ORDER BY es_event.tx, position LIMIT 10000)':
    'looks for events of some types a window of 10,000 at a time',
  'ORDER BY es_event.tx, position OFFSET 9999': 'the end of that window',
  'AS micros FROM analytics_turn': 'a bucket of response times, in which the copies all are',
  'FROM analytics_response_group': 'the groups of a period, of which the copies have more than there are',
  'FROM analytics_response_bucket': 'the buckets of a group, of which the copies have more than its 16',
  'AS class, LATERAL (SELECT sale_id':
    'each class of lengths of stays is a probe, for each page that is asked for',
  'AS part (number, sign, begins, ends)':
    'each beginning and end of a bucket of a series, up to 401, is a probe',
  'AS middle (number, begins, ends': 'each bucket of a series, up to 400, is a probe',
  'AS agent (id)': 'each agent is a probe, and the copies have thousands',
  'name_key LIKE': 'a beginning that the copies all have; statistics choose between the names and the newest',
  'tag_ids @>': 'a tag that the copies all have; statistics choose between the tags and the newest',
  'custom_fields @>': 'a value that the copies all have; statistics choose between the values and the newest',
  'contact_id IN (SELECT contact_id FROM contact':
    'the conversations of a company, of which the copies have all',
  'EXISTS (SELECT FROM conversation WHERE conversation.organization_id = $1 AND conversation.conversation_id = draft':
    'replies by what their conversations are; statistics choose where to begin',
  'conversation_id = ANY (ARRAY(SELECT draft': 'conversations with a reply; without statistics, by any index',
  'sale_id = ANY (ARRAY':
    'sales of a contact or conversation, of which the copies have all; without statistics, by any index',
  '::numeric AND': 'sales by value, of which the copies have all or none',
  '::numeric ORDER': 'sales by value, of which the copies have all or none',
  'due_at < ($2)': 'tasks by due time, which the copies all have or have not',
  'due_at >= ($2)': 'tasks by due time, which the copies all have or have not',
  'expected_close_on < ($2)': 'sales by when they are to close, which the copies all have not',
  'expected_close_on >= ($2)': 'sales by when they are to close, which the copies all have not',
  'associated_contacts @> jsonb_build_array':
    'the sales of a contact, who has all of the copies; without statistics, by any index',
  'WITH scanned AS': 'looks through 10,000 contacts at a time',
  "'draft ' || draft_id": 'the replies to a contact, who has all of the copies',
  'of_contact = $2 AND updated_at >=':
    'what changed of the conversations of a contact, who has all of the copies',
  'agent_id = $2 AND updated_at >=':
    'what changed of the conversations of an agent; statistics choose where to begin',
  'tokens @>': 'the newest 500 hits, of which those in titles come first',
  'AS asked_record (type)': 'each kind of record, action and actor is a probe',
  'WITH RECURSIVE field_set': 'each set of fields that have changed together is a probe',
  'max(created_at) AS latest': 'what is too old, so many at a time',
  'DELETE FROM webhook_delivery WHERE organization_id = $1 AND webhook_id = $2 AND created_at <=':
    'what is too old, as much as was found',
  'DELETE FROM idempotency WHERE organization_id = $1 AND request = ANY':
    'what is too old, as much as was found',
};
/** Statements that the product does not run beside its requests, by words or the file. */
const UNASKED: Record<string, string> = {
  'INSERT INTO es_checkpoint': 'a projection that has never run',
  'event-store/pending-rebuilds': 'a table with no row, but after an update',
  'event-store/rebuild': 'reads all events',
  'WHERE projection = $1 FOR UPDATE': 'a rebuild, which waits for the projection',
  'SELECT pg_advisory_xact_lock(…)': 'the same, and the end of a batch on a cluster',
  'SELECT pg_advisory_xact_lock_shared(…)': 'figures of a cluster',
  'SELECT organization_id FROM es_line': 'a rebuild on a cluster',
  'event-store/whole-streams': 'reads all events',
  'FROM es_event, LATERAL': 'reads all events',
  'event-store/shadow': 'reads the schema for a rebuild',
  'event-store/verify': 'reads all rows',
  'event-store/repair': 'reads all events',
  'INSERT INTO tag_spread': 'a tag that more than a thousand records have',
  'demo/example-values': 'names records of the demo, of which there is none here',
};

let dataDir: string;
let postgres: EmbeddedPostgres;
let server: Server;
let plans: Plan[];
let grown: Set<string>;
let schema: Schema;

beforeAll(async () => {
  dataDir = newDataDir();
  postgres = await startEmbeddedPostgres({
    dataDir,
    settings: { ...LOGGING_PLANS, autovacuum: 'off', fsync: 'off' },
  });
  const env = {
    DATABASE_URL: postgres.url,
    PARLEY_DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    DELIVERY_MAX_ATTEMPTS: '3',
    // Each question is a plan in the log.
    DUE_POLL_MS: '500',
  };
  const first = await startServer({ dataDir, env });
  const known = await furnishedWorkspace({ url: first.url });
  const newcomer = await furnishedWorkspace({ url: first.url });
  for (const workspace of [known, newcomer]) await postOnce(workspace);
  await first.stop();
  await withDatabase(async (database) => {
    grown = await multiplied(database, known.organizationId);
    await leaveDue(database, known);
    await database.query('ANALYZE');
    await multiplied(database, newcomer.organizationId);
    schema = await schemaOf(database);
  });
  const log = new PlanLog(dataDir);
  const port = await freePort();
  server = await startServer({ dataDir, env: { ...env, INBOUND_SMTP_PORT: String(port) } });
  // Before anything of either is in memory.
  await ok(movedTo(server.url, known).admin.get('audit-logs'));
  for (const workspace of [known, newcomer]) {
    const moved = movedTo(server.url, workspace);
    await busyDay(moved, env);
    await mailTo(moved, port);
    await readEverything(moved);
  }
  // It writes down at its end when keys were used.
  await server.stop();
  plans = log.plans();
}, 600_000);

afterAll(async () => {
  await server?.stop();
  await postgres?.stop();
  removeDataDir(dataDir);
});

async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const database = new Database({ connectionString: postgres.url });
  await database.connect();
  await database.query('SET auto_explain.log_min_duration = -1');
  await work(database).finally(() => database.end());
}

/** Leaves a webhook with one delivery due to it, and a change of a tag that is not told to its end. */
async function leaveDue(database: Database, { organizationId, ids }: Furnished): Promise<void> {
  const { webhook_id, delivery_id, tag_id } = ids;
  await database.query(
    `UPDATE webhook SET paused_at = NULL, types = '{Nothing}' WHERE organization_id = $1 AND webhook_id = $2`,
    [organizationId, webhook_id],
  );
  await database.query(
    `UPDATE webhook_delivery SET due_at = NULL, status = 'delivered'
      WHERE organization_id = $1 AND webhook_id = $2 AND delivery_id <> $3`,
    [organizationId, webhook_id, delivery_id],
  );
  await database.query('VACUUM webhook_delivery');
  await database.query(
    `INSERT INTO tag_spread VALUES ($1, $2, '{"actor": {"type": "system", "id": "system"}}', 'z')`,
    [organizationId, tag_id],
  );
}

/** Leaves an answer under an Idempotency-Key, of which the copies are too old to keep. */
const postOnce = ({ api }: Furnished): Promise<Json> =>
  ok(api.with({ 'idempotency-key': unique('once') }).post('tasks', { title: 'Call' }));

async function mailTo({ adminApi }: Furnished, port: number): Promise<void> {
  const { from_address: to } = await ok(adminApi.get('channels/email'));
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true });
  await transport.sendMail({ envelope: { from: 'grace@navy.example', to }, raw: rawMail() });
}

/** The same workspace, asked of another process. */
const movedTo = (url: string, workspace: Furnished): Furnished => {
  const at = ({ base, headers }: Client) => new Client(url, base, headers);
  const { api, admin, adminApi } = workspace;
  return { ...workspace, api: at(api), admin: at(admin), adminApi: at(adminApi) };
};

/**
 * Every GET of the OpenAPI document: as it is, with each of its filters, and the next page. Each is asked for three times at once,
 * so that what goes together goes alone and together.
 */
async function readEverything(workspace: Furnished): Promise<void> {
  const reads = operationsOf(await openApi(workspace.api.url)).filter(
    ({ method, path }) => method === 'GET' && /^\/(api|admin|l|metrics|health)\b/.test(path),
  );
  for (const operation of reads) await readOf(workspace, operation);
  await readConversations(workspace);
}

/** Messages of several conversations at once, which go together. */
async function readConversations({ api, ids }: Furnished): Promise<void> {
  const messages = await Promise.all(
    Array.from({ length: 5 }, () => ok(received(api, { contact: { name: unique('Hedy') } }))),
  );
  const conversations = [ids['conversation_id'], ...messages.map(({ conversation_id }) => conversation_id)];
  const messagesOf = (id: string) => ok(api.get(`conversations/${id}/messages`, { limit: LIMIT }));
  for (let nr = 0; nr < 5; nr++) await Promise.all(conversations.map(messagesOf));
}

const CUSTOM = 'custom_fields';

const VALUES: Query = {
  limit: LIMIT,
  event_id: 'event_nowhere',
  email: 'grace@navy.example',
  phone_number: '+1 212 555 0101',
  domain: 'navy.example',
  open: false,
  name: 'grac',
  folder: 'inbox',
  modality: 'email',
  is_read: false,
  waiting: true,
  has_draft: true,
  min_value: '1',
  max_value: '1000000',
  due_before: '2036-01-01T00:00:00Z',
  due_after: '2026-01-01T00:00:00Z',
  overdue: true,
  q: 'grace',
  updated_since: '2026-01-01T00:00:00Z',
  external_id: 'crm-4711',
  closing_before: '2036-01-01',
  closing_after: '2026-01-01',
  start_date: '2026-01-01T00:00:00Z',
  end_date: '2036-01-01T00:00:00Z',
  status: 'failed',
  // Of which there is not a page.
  types: 'TaskReopened',
  wait: 0,
  figure: 'salesCreated',
  interval: 'month',
  time_zone: 'Asia/Kathmandu',
  explain: true,
  by_currency: true,
  field: 'is_read',
  request_id: 'request_nowhere',
  channels: false,
};

async function readOf({ api, admin, ids, organizationId }: Furnished, operation: Operation): Promise<void> {
  const client = operation.path.startsWith('/admin') ? admin : api;
  const path = filled(operation.path, { ...ids, organization_id: organizationId });
  const ask = async (query: Query): Promise<Json> => {
    const answers = await Promise.all([1, 2, 3].map(() => client.get(path, query)));
    for (const { status, text } of answers)
      if (status >= 400) throw new Error(`${path} with ${JSON.stringify(query)}: ${text}`);
    return answers[0]!.body;
  };
  const parameters: Json[] = (operation.spec.parameters ?? []).filter((one: Json) => one.in === 'query');
  const always = parameters.filter(({ name, required }) => required || name === 'limit');
  const query = Object.fromEntries(always.map(({ name }) => [name, VALUES[name]]));
  const page = await ask(query);
  const cursor: string | undefined = page?.pagination?.next_cursor ?? undefined;
  const known = {
    ...ids,
    owner_id: ids['agent_id'],
    record_id: ids['sale_id'],
    after: page?.next_after,
    before: page?.next_after,
    cursor,
    ...VALUES,
    ...(path.endsWith('/search') && { types: 'message,contact' }),
    [CUSTOM]: 1,
  };
  for (const { name, schema } of parameters) {
    const words: string[] | undefined = schema?.oneOf?.[0].enum;
    // Of words, of which several may be asked for, two together, too.
    const values = schema?.enum ??
      schema?.items?.enum ??
      (words && [...words, words.slice(0, 2).join()]) ?? [(known as Query)[name]];
    if (values[0] === undefined && name !== 'cursor')
      throw new Error(`${path}: which ${name} is to be asked for?`);
    const asked = name === CUSTOM ? `${CUSTOM}[size]` : name;
    for (const value of values)
      await ask({ ...query, [asked]: value, ...alongWith(name, value, query, ids) });
  }
}

async function schemaOf(database: Database): Promise<Schema> {
  const [tenants, mutable] = await Promise.all([
    database.query(
      `SELECT relname AS name FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
        WHERE attname = 'organization_id' AND relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    ),
    database.query(`SELECT DISTINCT proname AS name FROM pg_proc WHERE provolatile <> 'i'`),
  ]);
  const namesOf = ({ rows }: { rows: { name: string }[] }) => new Set(rows.map(({ name }) => name));
  return { tenantTables: namesOf(tenants), mutableFunctions: namesOf(mutable) };
}

const isAmong = (reasons: Record<string, string>, text: string): boolean =>
  Object.keys(reasons).some((words) => text.includes(words));

describe('with large organizations, whether statistics know of them or not', () => {
  it('a statement reads hardly more than it gives', () => {
    const found = plans.flatMap(({ text, readings }) =>
      readings
        .filter(
          ({ table, rows, blocks }) => grown.has(table) && (rows > MOST_ROWS || blocks > rows + MOST_BLOCKS),
        )
        .filter(() => !isAmong(MAY_READ_MORE, text))
        .map(
          ({ how, table, rows, blocks }) => `${table} by ${how}, ${rows} rows in ${blocks} blocks: ${text}`,
        ),
    );
    const once = new Map(found.map((one) => [one.replace(/\d+ rows in \d+ blocks/, ''), one]));
    expect([...once.values()]).toEqual([]);
  });

  it('a statement sorts no more than a page', () => {
    const found = plans
      .filter(({ sorted }) => sorted.some((rows) => rows > MOST_ROWS))
      .filter(({ text }) => !isAmong(MAY_READ_MORE, text))
      .map(({ text, sorted }) => `${sorted.join()}: ${text}`);
    expect([...new Set(found)]).toEqual([]);
  });

  it('every statement of the sources has been seen', () => {
    const texts = [...new Set(plans.map(({ text }) => text))];

    const unseen = statementsIn(/\.(queries|projection)\.ts$|libs\/event-store\//)
      .filter(({ at, text }) => !isAmong(UNASKED, `${at} ${text}`))
      .filter(({ pattern }) => !texts.some((text) => pattern.test(text)))
      .map(({ at }) => at);
    expect(unseen).toEqual([]);
  });
});

describe('on a cluster that distributes the tables by organization', () => {
  const seen = () => [...new Set(plans.map(({ text }) => text))];

  it('every statement names one organization as a plain parameter, but for those listed', async () => {
    const found = await Promise.all(
      seen()
        .filter((text) => !isAmong(OVER_ALL_ORGANIZATIONS, text))
        .map(async (text) => (await faultsOf(text, schema)).map((fault) => `${fault}: ${text}`)),
    );
    expect(found.flat()).toEqual([]);
  });

  it('no statement of theirs goes by the locks or the snapshot of the server that runs it', async () => {
    const found = await Promise.all(
      seen().map(async (text) =>
        (await otherServerFaultsOf(text, schema)).map((fault) => `${fault}: ${text}`),
      ),
    );
    expect(found.flat()).toEqual([]);
  });

  it('every statement listed has been seen, and does not name one', async () => {
    const idle = await Promise.all(
      Object.keys(OVER_ALL_ORGANIZATIONS).map(async (words) => {
        const texts = seen().filter((text) => text.includes(words));
        const faults = await Promise.all(texts.map((text) => faultsOf(text, schema)));
        return faults.some(({ length }) => length > 0) ? [] : [words];
      }),
    );
    expect(idle.flat()).toEqual([]);
  });
});
