import { Client } from 'pg';
import { COPIED } from './families.mjs';
import { checkpoint } from './servers.mjs';

/** A thousand pages of 50 and some more. */
const CONTACTS = 50_200;
const SALES = 20_000;
/** What is made through the API: so many that 32 connections seldom meet at one, and that no sale moves often. */
const MADE = 2_000;
const MOVED_SALES = 10_000;
const AT_ONCE = 20;
export const PAGE = 50;

/**
 * Fills the database: an organization to read, with contacts and sales of its own, one to write, in which everything else is
 * made through the API, and copies of what is written for the bare server. Gives ids and bodies by family.
 */
export async function prepareData(databaseUrl, { url, adminKey }) {
  const call = async (path, headers, method, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const administer = (path, body, method = 'POST') =>
    call(`/admin/v1/${path}`, { 'x-admin-key': adminKey }, method, body);
  const { organization_id: toRead } = await administer('organizations', { name: 'Read' });
  const { organization_id: toWrite } = await administer('organizations', { name: 'Write' });
  const organizations = [toRead, toWrite];
  const { api_key: apiKey } = await administer('api-keys', {
    name: 'bench',
    organization_ids: organizations,
  });
  const made = await makeThroughApi(administer, toWrite, (path, body, organizationId = toWrite) =>
    call(
      `/api/v2/organizations/${organizationId}/${path}`,
      { 'x-api-key': apiKey },
      body ? 'POST' : 'GET',
      body,
    ),
  );
  const { contactIds, saleIds } = await fill(databaseUrl, toRead);
  const cursors = await walk(`${url}/api/v2/organizations/${toRead}/contacts`, apiKey);
  return { toRead, toWrite, apiKey, cursors, made, contactIds, saleIds };
}

/** Ids of what was made, by family, and bodies that make more of it. */
async function makeThroughApi(administer, organizationId, call) {
  const many = async (count, make) => {
    const all = [];
    for (let nr = 0; nr < count; nr += AT_ONCE)
      all.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => make(nr + index)))));
    return all;
  };
  const organization = `organizations/${organizationId}`;
  await administer(
    `${organization}/channels/email`,
    { provider: 'smtp', host: '127.0.0.1', port: 2525, from_address: 'sales@bench.example' },
    'PUT',
  );
  await many(200, (nr) => administer(`${organization}/agents`, { name: `Agent ${nr}` }));
  const [{ status_id }] = (await call('sale-statuses')).data;
  const [{ company_id }] = await many(MADE, (nr) =>
    call('companies', { name: `Navy ${nr}`, domain: `navy${nr}.example` }),
  );
  const contacts = await many(MADE, (nr) => call('contacts', { name: `Grace Hopper ${nr}` }));
  const bodies = {
    sale: { status_id, company_id, associated_contacts: [{ contact_id: contacts[0].contact_id }] },
    task: { title: 'Call about the renewal', due_at: '2026-12-01T09:00:00Z', company_id },
    messageDraft: {
      modality: 'email',
      subject: 'Renewal of the contract',
      body_html: '<p>Shall we talk about the renewal?</p>',
      to_user_name: 'Grace Hopper',
      to_email: 'grace@navy.example',
      add_notification: false,
    },
  };
  const messages = await many(MADE, (nr) =>
    call('messages', {
      modality: 'email',
      message_direction: 'received',
      subject: 'Renewal of the contract',
      content: 'Shall we talk about the renewal? '.repeat(6),
      contact: { contact_id: contacts[nr].contact_id },
    }),
  );
  await many(MADE, (nr) =>
    call(`conversations/${messages[nr].conversation_id}/response-drafts`, {
      body_html: '<p>Gladly.</p>',
      add_notification: false,
    }),
  );
  const tasks = await many(MADE, () => call('tasks', bodies.task));
  const drafts = await many(MADE, () => call('message-drafts', bodies.messageDraft));
  const moved = await many(MOVED_SALES, () => call('sales', bodies.sale));
  return {
    bodies,
    messages,
    contactIds: contacts.map(({ contact_id }) => contact_id),
    draftIds: drafts.map(({ draft_id }) => draft_id),
    taskIds: tasks.map(({ task_id }) => task_id),
    movedIds: moved.map(({ sale_id }) => sale_id),
  };
}

const FILL = [
  `INSERT INTO contact (organization_id, contact_id, name, email, phone_number, email_key, phone_key,
                        company_id, company_role, custom_fields, created_at, stream_version)
   SELECT $1, 'contact_01' || lpad(n::text, 24, '0'), 'Grace Hopper ' || n, 'Grace' || n || '@navy.example',
          '+1 (555) 01' || lpad(n::text, 5, '0'), 'grace' || n || '@navy.example', '+155501' || lpad(n::text, 5, '0'),
          NULL, 'Rear admiral', '{}', '2026-01-02T03:04:05Z'::timestamptz + n * interval '1.000001 seconds', 1
     FROM generate_series(1, ${CONTACTS}) n`,
  `INSERT INTO sale (organization_id, sale_id, company_id, owner_id, associated_contacts, associated_conversation_ids,
                     status_id, status_history, quote_details, custom_fields, created_at, last_activity_at, stream_version)
   SELECT $1, 'sale_01' || lpad(n::text, 24, '0'), 'company_01' || lpad((n % 500)::text, 24, '0'), NULL,
          jsonb_build_array(jsonb_build_object('contact_id', 'contact_01' || lpad(n::text, 24, '0'), 'is_primary', true)),
          '[]', 'stage_2',
          jsonb_build_array(
            jsonb_build_object('status_id', 'stage_1', 'label', 'Qualified', 'status', NULL, 'changed_at', '2026-01-02T03:04:05.000000Z'),
            jsonb_build_object('status_id', 'stage_2', 'label', 'Quoted', 'status', 'quoted', 'changed_at', '2026-01-03T03:04:05.000000Z')),
          '{"output": {"currency": "USD", "total_price": "39.98"},
            "arguments": {"products": [{"product_name": "Chair", "quantity": 2, "unit_price": "19.99"}]}}',
          '{}', '2026-01-02T03:04:05Z', '2026-01-03T03:04:05Z'::timestamptz + n * interval '1.000001 seconds', 3
     FROM generate_series(1, ${SALES}) n`,
];

/** Writes rows to read, each a second and a microsecond newer than the one before, and gives some ids from all over. */
async function fill(databaseUrl, organizationId) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const someOf = async (table, id) => {
    const { rows } = await client.query(
      `SELECT ${id} AS id FROM ${table} WHERE organization_id = $1 ORDER BY hashtext(${id}) LIMIT 200`,
      [organizationId],
    );
    return rows.map((row) => row.id);
  };
  try {
    for (const statement of FILL) await client.query(statement, [organizationId]);
    for (const table of COPIED) {
      await client.query(`CREATE TABLE bare_${table} (LIKE ${table} INCLUDING ALL)`);
      const columns = await givenColumns(client, table);
      await client.query(`INSERT INTO bare_${table} (${columns}) SELECT ${columns} FROM ${table}`);
    }
    // What the bare server searches: the texts of messages, with the index that PostgreSQL's own search wants.
    await client.query(
      `CREATE TABLE bare_text AS SELECT organization_id, message_id, conversation_id, subject, content, sent_at FROM message`,
    );
    await client.query(`CREATE INDEX ON bare_text USING gin (to_tsvector('simple', content))`);
    await client.query('CREATE INDEX ON bare_text (organization_id, sent_at DESC, message_id DESC)');
    await client.query('VACUUM ANALYZE');
    await checkpoint(databaseUrl);
    return {
      contactIds: await someOf('contact', 'contact_id'),
      saleIds: await someOf('sale', 'sale_id'),
    };
  } finally {
    await client.end();
  }
}

/** Reads page by page, as a caller would; gives the cursor of each page by its number, the first having none. */
async function walk(list, apiKey) {
  const cursors = { 1: null };
  for (let page = 2, cursor = null; page <= CONTACTS / PAGE; page++) {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await fetch(`${list}?limit=${PAGE}${after}`, { headers: { 'x-api-key': apiKey } });
    const { data, pagination } = await answer.json();
    if (data?.length !== PAGE) throw new Error(`page ${page - 1}: ${answer.status}`);
    cursors[page] = cursor = pagination.next_cursor;
  }
  return cursors;
}

/** The columns of a table but those that PostgreSQL fills in itself. */
async function givenColumns(client, table) {
  const { rows } = await client.query(
    `SELECT attname AS name FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name).join(', ');
}
