// The least that answers the same requests from the same database. No validation, no keys, no events.
import Fastify from 'fastify';
import pg from 'pg';
import { serveSales } from './bare-sales.mjs';

const TIMESTAMPTZ = 1184;
const COLUMNS = 'contact_id, name, email, phone_number, created_at, company_id, custom_fields, company_role';
const PATH = '/organizations/:organization_id/contacts';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
  // Instants stay text: a Date would lose their microseconds, and cost more.
  types: {
    getTypeParser: (oid, format) =>
      oid === TIMESTAMPTZ ? (text) => text : pg.types.getTypeParser(oid, format),
  },
});
const server = Fastify();

server.get(`${PATH}/:contact_id`, async ({ params }, reply) => {
  const { rows } = await pool.query({
    name: 'get',
    text: `SELECT ${COLUMNS} FROM contact WHERE organization_id = $1 AND contact_id = $2`,
    values: [params.organization_id, params.contact_id],
  });
  return rows[0] ?? reply.callNotFound();
});

server.get(PATH, async ({ params, query }) => {
  const limit = Number(query.limit);
  const { rows } = await pool.query(
    query.contact_id === undefined
      ? {
          name: 'first',
          text: `SELECT ${COLUMNS} FROM contact WHERE organization_id = $1
                  ORDER BY created_at DESC, contact_id DESC LIMIT $2`,
          values: [params.organization_id, limit + 1],
        }
      : {
          name: 'next',
          text: `SELECT ${COLUMNS} FROM contact WHERE organization_id = $1 AND (created_at, contact_id) < ($2, $3)
                  ORDER BY created_at DESC, contact_id DESC LIMIT $4`,
          values: [params.organization_id, query.created_at, query.contact_id, limit + 1],
        },
  );
  const data = rows.slice(0, limit);
  const { created_at, contact_id } = data.at(-1) ?? {};
  return { data, pagination: { limit, next: { created_at, contact_id }, has_more: rows.length > limit } };
});

let created = 0;

server.post(PATH, async ({ params, body: { name, email, phone_number, company_role } }, reply) => {
  const { rows } = await pool.query({
    name: 'create',
    text: `INSERT INTO bare_contact (organization_id, contact_id, name, email, phone_number, email_key, phone_key,
                                     company_id, company_role, custom_fields, created_at, stream_version)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now(), 1) RETURNING ${COLUMNS}`,
    values: [
      params.organization_id,
      `contact_02${String(++created).padStart(24, '0')}`,
      name,
      email,
      phone_number,
      email.toLowerCase(),
      phone_number.replace(/\D/g, ''),
      null,
      company_role,
      {},
    ],
  });
  return reply.status(201).send(rows[0]);
});

serveSales(server, pool);

process.on('disconnect', () => process.exit());
await server.listen({ port: 0, host: '127.0.0.1' });
process.send(server.server.address().port);
