import { Client } from 'pg';
import { prepareSales } from './sales.mjs';

/** A thousand pages of 50 and some more. */
const CONTACTS = 50_200;
export const PAGE = 50;

/**
 * Fills the database: an organization to read, with its contacts and sales, one to write, and `bare_contact` and
 * `bare_sale`, copies of both with their indexes for the bare server to write.
 */
export async function prepareData(databaseUrl, { url, adminKey }) {
  const administer = async (path, body) => {
    const answer = await fetch(`${url}/admin/v1/${path}`, {
      method: 'POST',
      headers: { 'x-admin-key': adminKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { organization_id: toRead } = await administer('organizations', { name: 'Read' });
  const { organization_id: toWrite } = await administer('organizations', { name: 'Write' });
  const { api_key: apiKey } = await administer('api-keys', {
    name: 'bench',
    organization_ids: [toRead, toWrite],
  });
  const contactIds = await fill(databaseUrl, toRead);
  const cursors = await walk(`${url}/api/v2/organizations/${toRead}/contacts`, apiKey);
  const sales = await prepareSales(databaseUrl, { url, apiKey, toRead, toWrite });
  return { toRead, toWrite, apiKey, contactIds, cursors, ...sales };
}

/** Writes the rows, each a second and a microsecond newer than the one before, and gives some ids from all over. */
async function fill(databaseUrl, organizationId) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO contact (organization_id, contact_id, name, email, phone_number, email_key, phone_key,
                            company_id, company_role, custom_fields, created_at, stream_version)
       SELECT $1, 'contact_01' || lpad(n::text, 24, '0'), 'Grace Hopper ' || n, 'Grace' || n || '@navy.example',
              '+1 (555) 01' || lpad(n::text, 5, '0'), 'grace' || n || '@navy.example', '+155501' || lpad(n::text, 5, '0'),
              NULL, 'Rear admiral', '{}', '2026-01-02T03:04:05Z'::timestamptz + n * interval '1.000001 seconds', 1
         FROM generate_series(1, ${CONTACTS}) n`,
      [organizationId],
    );
    await client.query('CREATE TABLE bare_contact (LIKE contact INCLUDING ALL)');
    await client.query('INSERT INTO bare_contact SELECT * FROM contact');
    await client.query('VACUUM ANALYZE contact');
    await client.query('VACUUM ANALYZE bare_contact');
    await client.query('CHECKPOINT');
    const { rows } = await client.query(
      'SELECT contact_id FROM contact WHERE organization_id = $1 ORDER BY hashtext(contact_id) LIMIT 200',
      [organizationId],
    );
    return rows.map((row) => row.contact_id);
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
