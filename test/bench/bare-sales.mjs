const COLUMNS = `sale_id, company_id, owner_id, associated_contacts, associated_conversation_ids, status_history,
  quote_details, custom_fields, created_at, last_activity_at`;
const PATH = '/organizations/:organization_id/sales';

let created = 0;

/** The routes of sales on the bare server. */
export function serveSales(server, pool) {
  server.get(`${PATH}/:sale_id`, async ({ params }, reply) => {
    const { rows } = await pool.query({
      name: 'get_sale',
      text: `SELECT ${COLUMNS} FROM sale WHERE organization_id = $1 AND sale_id = $2`,
      values: [params.organization_id, params.sale_id],
    });
    return rows[0] ?? reply.callNotFound();
  });

  server.get(PATH, async ({ params, query }) => {
    const limit = Number(query.limit);
    const { rows } = await pool.query({
      name: 'first_sales',
      text: `SELECT ${COLUMNS} FROM sale WHERE organization_id = $1 ORDER BY last_activity_at DESC, sale_id DESC LIMIT $2`,
      values: [params.organization_id, limit + 1],
    });
    return { data: rows.slice(0, limit), pagination: { limit, has_more: rows.length > limit } };
  });

  server.post(PATH, async ({ params, body }, reply) => {
    const { rows } = await pool.query({
      name: 'create_sale',
      text: `INSERT INTO bare_sale (organization_id, sale_id, company_id, associated_contacts, associated_conversation_ids,
                                    status_id, status_history, custom_fields, created_at, last_activity_at, stream_version)
             VALUES ($1, $2, $3, $4, '[]', $5, $6, '{}', now(), now(), 1) RETURNING ${COLUMNS}`,
      values: [
        params.organization_id,
        `sale_02${String(++created).padStart(24, '0')}`,
        body.company_id,
        JSON.stringify(body.associated_contacts),
        body.status_id,
        JSON.stringify([entered(body.status_id)]),
      ],
    });
    return reply.status(201).send(rows[0]);
  });

  server.patch(`${PATH}/:sale_id`, async ({ params, body }, reply) => {
    const { rows } = await pool.query({
      name: 'move_sale',
      text: `UPDATE bare_sale SET status_id = $3, status_history = status_history || $4::jsonb, last_activity_at = now(),
                    stream_version = stream_version + 1
              WHERE organization_id = $1 AND sale_id = $2 RETURNING ${COLUMNS}`,
      values: [
        params.organization_id,
        params.sale_id,
        body.status_id,
        JSON.stringify(entered(body.status_id)),
      ],
    });
    return rows[0] ?? reply.callNotFound();
  });
}

const entered = (status_id) => ({
  status_id,
  label: 'Qualified',
  status: null,
  changed_at: new Date().toISOString(),
});
