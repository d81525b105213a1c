// The least that answers the same requests from the same database. No validation, no keys, and events only with BARE_FACTS.
import Fastify from 'fastify';
import pg from 'pg';
import { writeOf } from './bare-write.mjs';
import { FAMILIES } from './families.mjs';

const TIMESTAMPTZ = 1184;

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
let created = 0;
/** An id as ours are, after all that are there. */
const nextId = (id) => `${id.slice(0, -'_id'.length)}_7${String(++created).padStart(25, '0')}`;

for (const family of FAMILIES) {
  const path = `/organizations/:organization_id/${family.path}`;
  serveList(path, family);
  if (family.id) serveOne(path, family);
  if (family.created) serveCreation(path, family);
  if (family.changed) serveChange(path, family);
}

const BY_TSVECTOR = `to_tsvector('simple', content) @@ websearch_to_tsquery('simple', $3)`;
const BY_LIKE = `content ILIKE '%' || $3 || '%'`;

server.get('/organizations/:organization_id/search', async ({ params, query }) => {
  const limit = Number(query.limit);
  const { rows } = await pool.query({
    name: query.like ? 'like' : 'tsvector',
    text: `SELECT message_id, conversation_id, subject, content, sent_at FROM bare_text
            WHERE organization_id = $1 AND ${query.like ? BY_LIKE : BY_TSVECTOR} ORDER BY sent_at DESC, message_id DESC LIMIT $2`,
    values: [params.organization_id, limit + 1, query.q],
  });
  return { data: rows.slice(0, limit), pagination: { limit, has_more: rows.length > limit } };
});

function serveList(path, { table, id, within, columns, where, sort, order = `${sort} DESC, ${id} DESC` }) {
  const conditions = [
    'organization_id = $1',
    ...(where ? [where] : []),
    ...(within ? [`${within} = $3`] : []),
  ];
  const text = (more = []) =>
    `SELECT ${columns} FROM ${table} WHERE ${[...conditions, ...more].join(' AND ')} ORDER BY ${order} LIMIT $2`;
  server.get(path, async ({ params, query }) => {
    const limit = Number(query.limit ?? 50);
    const values = [params.organization_id, limit + 1, ...(within ? [params[within]] : [])];
    const { rows } = await pool.query(
      query.after_id === undefined
        ? { name: `first_${table}`, text: text(), values }
        : {
            name: `next_${table}`,
            text: text([`(${sort}, ${id}) < ($3, $4)`]),
            values: [...values, query.after, query.after_id],
          },
    );
    return { data: rows.slice(0, limit), pagination: { limit, has_more: rows.length > limit } };
  });
}

function serveOne(path, { table, id, within, columns }) {
  const text = `SELECT ${columns} FROM ${table} WHERE organization_id = $1 AND ${id} = $2${within ? ` AND ${within} = $3` : ''}`;
  server.get(`${path}/:${id}`, async ({ params }, reply) => {
    const values = [params.organization_id, params[id], ...(within ? [params[within]] : [])];
    const { rows } = await pool.query({ name: `get_${table}`, text, values });
    return rows[0] ?? reply.callNotFound();
  });
}

function serveCreation(path, { table, id, columns, created: rowOf }) {
  server.post(path, async ({ params, body }, reply) => {
    const row = {
      organization_id: params.organization_id,
      [id]: nextId(id),
      ...rowOf(body),
      stream_version: 1,
    };
    const names = Object.keys(row);
    const query = writeOf({
      name: `create_${table}`,
      text: `INSERT INTO bare_${table} (${names.join(', ')}) VALUES (${names.map((_, nr) => `$${nr + 1}`).join(', ')})`,
      columns,
      body,
      values: Object.values(row),
      table,
      id,
    });
    const { rows } = await pool.query(query);
    return reply.status(201).send(rows[0]);
  });
}

function serveChange(path, { table, id, columns, changed: { set, values } }) {
  const text = `UPDATE bare_${table} SET ${set}, stream_version = stream_version + 1
                 WHERE organization_id = $1 AND ${id} = $2`;
  server.patch(`${path}/:${id}`, async ({ params, body }, reply) => {
    const query = writeOf({
      name: `change_${table}`,
      text,
      columns,
      body,
      values: [params.organization_id, params[id], ...values(body)],
      table,
      id,
    });
    const { rows } = await pool.query(query);
    return rows[0] ?? reply.callNotFound();
  });
}

/** A pending reply is replaced. */
server.post(
  '/organizations/:organization_id/conversations/:conversation_id/response-drafts',
  async ({ params, body }, reply) => {
    const query = writeOf({
      name: 'overwrite_response',
      text: `UPDATE bare_draft SET body_html = $3, was_overwritten = true, stream_version = stream_version + 1
              WHERE organization_id = $1 AND conversation_id = $2 AND kind = 'response' AND message_id IS NULL`,
      columns: 'draft_id AS response_id, conversation_id, scheduled_send_at',
      body,
      values: [params.organization_id, params.conversation_id, body.body_html],
      table: 'draft',
      id: 'draft_id',
    });
    const { rows } = await pool.query(query);
    return rows[0] ?? reply.callNotFound();
  },
);

/** A message is one more row, and its conversation has moved. */
server.post('/organizations/:organization_id/messages', async ({ params, body }, reply) => {
  const query = writeOf({
    name: 'record_message',
    before: `moved AS (
             UPDATE bare_conversation SET is_read = false, last_activity_at = now(), last_message_id = $2,
                                          stream_version = stream_version + 1
              WHERE organization_id = $1 AND conversation_id = $3 RETURNING conversation_id, stream_version)`,
    text: `INSERT INTO bare_message (organization_id, message_id, conversation_id, modality, message_direction, is_form_request,
                                     content, sent_at, email_metadata, call_metadata, is_auto_reply, tracked_links)
           SELECT $1, $2, conversation_id, $4, $5, false, $6, now(), '{}', '{}', false, '[]' FROM moved`,
    columns: '*',
    body,
    values: [
      params.organization_id,
      nextId('msg_id'),
      body.conversation_id,
      body.modality,
      body.message_direction,
      body.content,
    ],
    table: 'conversation',
    id: 'conversation_id',
    version: '(SELECT stream_version FROM moved)',
  });
  const { rows } = await pool.query(query);
  return rows[0] ? reply.status(201).send(rows[0]) : reply.callNotFound();
});

process.on('disconnect', () => process.exit());
await server.listen({ port: 0, host: '127.0.0.1' });
process.send(server.server.address().port);
