import type { Database } from '#database/database.js';

/**
 * Values for the examples of the API document: the newest records of an organization that fit each other, by the names of
 * parameters; `from_…` are others, which can be merged into them. A conversation with a pending reply comes first, then one by e-mail,
 * which can be replied to.
 */
export async function exampleValues(
  database: Database,
  organizationId: string,
): Promise<Record<string, string>> {
  const [row] = await database.query<Record<string, string | null>>({
    name: 'example_values',
    text: `
      WITH reply AS (SELECT conversation_id, draft_id FROM draft
                      WHERE organization_id = $1 AND kind = 'response' AND message_id IS NULL
                        AND scheduled_send_at IS NULL ORDER BY created_at DESC LIMIT 1),
           said AS (SELECT conversation_id, message_id FROM message
                     WHERE organization_id = $1
                       AND (conversation_id = (SELECT conversation_id FROM reply) OR NOT EXISTS (SELECT FROM reply))
                       AND modality = 'email' AND message_direction = 'received'
                     ORDER BY sent_at DESC, message_id DESC LIMIT 1),
           sold AS (SELECT sale_id, status_id FROM sale WHERE organization_id = $1
                     ORDER BY last_activity_at DESC, sale_id DESC LIMIT 1)
      SELECT $1::text AS organization_id, said.conversation_id, said.message_id, sold.sale_id, sold.status_id,
             (SELECT draft_id FROM reply) AS response_id,
             (SELECT draft_id FROM draft WHERE organization_id = $1 AND kind = 'message' AND message_id IS NULL
                 AND scheduled_send_at IS NULL ORDER BY created_at DESC, draft_id DESC LIMIT 1) AS draft_id,
             (SELECT agent_id FROM agent WHERE organization_id = $1 ORDER BY created_at, agent_id LIMIT 1) AS agent_id,
             (SELECT contact_id FROM contact WHERE organization_id = $1
               ORDER BY created_at DESC, contact_id DESC LIMIT 1) AS contact_id,
             (SELECT company_id FROM company WHERE organization_id = $1
               ORDER BY created_at DESC, company_id DESC LIMIT 1) AS company_id,
             (SELECT contact_id FROM contact WHERE organization_id = $1
               ORDER BY created_at DESC, contact_id DESC OFFSET 1 LIMIT 1) AS from_contact_id,
             (SELECT company_id FROM company WHERE organization_id = $1
               ORDER BY created_at DESC, company_id DESC OFFSET 1 LIMIT 1) AS from_company_id,
             (SELECT conversation_id FROM conversation c
               WHERE organization_id = $1 AND conversation_id <> said.conversation_id AND NOT EXISTS (
                 SELECT FROM draft d WHERE d.organization_id = $1 AND d.conversation_id = c.conversation_id
                    AND kind = 'response' AND message_id IS NULL)
               ORDER BY last_activity_at DESC, conversation_id DESC LIMIT 1) AS from_conversation_id,
             (SELECT task_id FROM task WHERE organization_id = $1
               ORDER BY created_at DESC, task_id DESC LIMIT 1) AS task_id,
             (SELECT tag_id FROM tag WHERE organization_id = $1 ORDER BY order_key, tag_id LIMIT 1) AS tag_id,
             (SELECT template_id FROM template WHERE organization_id = $1
               ORDER BY name_key, template_id LIMIT 1) AS template_id,
             (SELECT audit_log_id FROM audit_log WHERE organization_id = $1
               ORDER BY occurred_at DESC, audit_log_id DESC LIMIT 1) AS audit_log_id,
             (SELECT uuid::text FROM solution WHERE organization_id = $1 ORDER BY created_at LIMIT 1) AS solution_id,
             (SELECT channel_id FROM channel WHERE organization_id = $1 AND modality = 'email') AS channel_id,
             to_char(now() AT TIME ZONE 'UTC' - interval '180 days', 'YYYY-MM-DD"T00:00:00Z"') AS start_date,
             to_char(now() AT TIME ZONE 'UTC' + interval '1 day', 'YYYY-MM-DD"T00:00:00Z"') AS end_date
        FROM (SELECT) AS one LEFT JOIN said ON true LEFT JOIN sold ON true`,
    values: [organizationId],
  });
  return Object.fromEntries(
    Object.entries(row!).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}
