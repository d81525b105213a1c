import { Client } from 'pg';

/** To read; and to write, so many that 32 connections seldom meet at one. */
const READ = 20_000;
const WRITE = 2_000;
const AT_ONCE = 20;

/** Fills the database with sales to read and others to move; gives their ids and the bodies that create and move them. */
export async function prepareSales(databaseUrl, { url, apiKey, toRead, toWrite }) {
  const call = async (organizationId, path, body) => {
    const answer = await fetch(`${url}/api/v2/organizations/${organizationId}/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const [stage] = (await call(toWrite, 'sale-statuses')).data;
  const { company_id } = await call(toWrite, 'companies', { name: 'Navy' });
  const { contact_id } = await call(toWrite, 'contacts', { name: 'Grace Hopper' });
  const sale = { status_id: stage.status_id, company_id, associated_contacts: [{ contact_id }] };
  const movedIds = [];
  while (movedIds.length < WRITE)
    movedIds.push(
      ...(await Promise.all(Array.from({ length: AT_ONCE }, () => call(toWrite, 'sales', sale)))).map(
        ({ sale_id }) => sale_id,
      ),
    );
  return { sale, movedIds, saleIds: await fill(databaseUrl, toRead) };
}

/** Writes the rows to read and `bare_sale`, a copy of all for the bare server to write; gives some ids from all over. */
async function fill(databaseUrl, organizationId) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
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
         FROM generate_series(1, ${READ}) n`,
      [organizationId],
    );
    await client.query('CREATE TABLE bare_sale (LIKE sale INCLUDING ALL)');
    await client.query('INSERT INTO bare_sale SELECT * FROM sale');
    for (const table of ['sale', 'bare_sale']) await client.query(`VACUUM ANALYZE ${table}`);
    await client.query('CHECKPOINT');
    const { rows } = await client.query(
      'SELECT sale_id FROM sale WHERE organization_id = $1 ORDER BY hashtext(sale_id) LIMIT 200',
      [organizationId],
    );
    return rows.map((row) => row.sale_id);
  } finally {
    await client.end();
  }
}
