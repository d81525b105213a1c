/*
 * The figures of each path as one would first write them in SQL over message and sale rows with the indexes one would
 * give them. $1 organization, $2 and $3 the window, $4 the agent.
 */
const FIRSTS = `
  firsts AS (
    SELECT DISTINCT ON (conversation_id) conversation_id, sent_at, modality, is_form_request
      FROM plain_message WHERE organization_id = $1 AND message_direction = 'received'
     ORDER BY conversation_id, sent_at, message_id),
  cohort AS (SELECT * FROM firsts WHERE sent_at >= $2 AND sent_at < $3)`;

const RATE = `
  WITH ${FIRSTS}
  SELECT count(*) AS received,
         count(*) FILTER (WHERE EXISTS (
           SELECT FROM plain_message m
            WHERE m.organization_id = $1 AND m.conversation_id = c.conversation_id AND m.message_direction = 'sent'
              AND m.sent_at > c.sent_at)) AS responded_to
    FROM cohort c`;

/** Inbound messages that follow a sent one, or nothing, and the next one sent. */
const TIME = `
  WITH marked AS (
    SELECT conversation_id, sent_at, message_id, message_direction,
           lag(message_direction) OVER conversation AS before,
           min(sent_at) FILTER (WHERE message_direction = 'sent') OVER (conversation ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS answered_at
      FROM plain_message WHERE organization_id = $1 AND NOT is_auto_reply
    WINDOW conversation AS (PARTITION BY conversation_id ORDER BY sent_at, message_id))
  SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM answered_at - sent_at)::float8) AS median, count(*)
    FROM marked
   WHERE message_direction = 'received' AND before IS DISTINCT FROM 'received' AND answered_at IS NOT NULL
     AND sent_at >= $2 AND sent_at < $3`;

const VOLUME = `
  SELECT count(*) FILTER (WHERE message_direction = 'received'), count(*) FILTER (WHERE message_direction = 'sent')
    FROM plain_message WHERE organization_id = $1 AND sent_at >= $2 AND sent_at < $3`;

const COHORT = `WITH ${FIRSTS} SELECT count(*) FROM cohort`;
const MODALITY = `WITH ${FIRSTS} SELECT is_form_request, modality, count(*) FROM cohort GROUP BY 1, 2`;

const ACTIVITY = `
  SELECT count(*) AS sent, count(DISTINCT conversation_id) FILTER (WHERE EXISTS (
           SELECT FROM plain_message e
            WHERE e.organization_id = $1 AND e.conversation_id = m.conversation_id AND e.message_direction = 'received'
              AND e.sent_at < m.sent_at)) AS responded_to
    FROM plain_message m
   WHERE organization_id = $1 AND agent_id = $4 AND message_direction = 'sent' AND sent_at >= $2 AND sent_at < $3`;

const pipeline = (of) => `
  WITH stays AS (
    SELECT sale_id, status_id, changed_at, lead(changed_at) OVER (PARTITION BY sale_id ORDER BY changed_at) AS left_at
      FROM plain_sale_status WHERE organization_id = $1)
  SELECT status_id, count(*), sum(total_price) FROM stays JOIN plain_sale s USING (sale_id)
   WHERE s.organization_id = $1 ${of} AND changed_at < $3 AND (left_at IS NULL OR left_at > $2)
   GROUP BY status_id`;

const accepted = (of) => `
  SELECT count(*), count(*) FILTER (WHERE EXISTS (
           SELECT FROM plain_sale_status e WHERE e.organization_id = $1 AND e.sale_id = s.sale_id AND e.status = 'accepted'))
    FROM plain_sale s WHERE organization_id = $1 ${of} AND created_at >= $2 AND created_at < $3`;

const SALES = [pipeline(''), accepted('')];
const SALES_OF_AGENT = [pipeline('AND owner_id = $4'), accepted('AND owner_id = $4')];

/** The paths below an organization, each with its plain statements. */
export const plainFigures = (agentId) => [
  ['analytics/conversations', [RATE, TIME, VOLUME, MODALITY]],
  ['analytics/conversations/response-rate', [RATE]],
  ['analytics/conversations/response-time', [TIME]],
  ['analytics/conversations/volume', [VOLUME, COHORT]],
  ['analytics/conversations/modality', [MODALITY]],
  ['analytics/sales', SALES],
  [`agents/${agentId}/analytics`, [ACTIVITY, ...SALES_OF_AGENT]],
  [`agents/${agentId}/analytics/conversations`, [ACTIVITY]],
  [`agents/${agentId}/analytics/sales`, SALES_OF_AGENT],
];
