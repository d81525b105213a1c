import { Client } from 'pg';

export const MESSAGES_EACH = 10;
/** The year that the generated conversations fill. */
export const YEAR = { start_date: '2025-01-01T00:00:00Z', end_date: '2026-01-01T00:00:00Z' };
const AGENTS = 50;
const SALES_PER_CONVERSATION = 0.1;
const AT_ONCE = 100_000;

/**
 * Writes the events of one organization's year straight into the event table, in the order of their instants, as if they
 * had been recorded over the year: conversations of ten messages that take some days, and a sale for every tenth of them.
 * And `plain_message` and `plain_sale`, which plain SQL counts from. Gives what the figures are asked for.
 */
export async function prepareHistory(databaseUrl, { organizationId, agentIds, conversations }) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: stages } = await client.query(
      'SELECT stage_id AS status_id, label, status FROM stage WHERE organization_id = $1 ORDER BY position',
      [organizationId],
    );
    const slots = (conversations + MESSAGES_EACH * Math.ceil(conversations / 2_200)) * MESSAGES_EACH;
    for (let from = 1; from <= slots; from += AT_ONCE) {
      const values = [organizationId, agentIds, conversations, from, Math.min(from + AT_ONCE - 1, slots)];
      await client.query({ name: 'messages', text: MESSAGES, values });
    }
    const sales = Math.floor(conversations * SALES_PER_CONVERSATION);
    for (let from = 1; from <= sales; from += AT_ONCE) {
      const values = [
        organizationId,
        agentIds,
        sales,
        from,
        Math.min(from + AT_ONCE - 1, sales),
        JSON.stringify(stages),
      ];
      await client.query({ name: 'sales', text: SALES, values });
    }
    for (const text of SETTLED) await client.query(text);
  } finally {
    await client.end();
  }
}

/** Rows as a good engineer would keep them who counts with plain SQL. */
export async function preparePlainRows(databaseUrl) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const text of PLAIN) await client.query(text);
  } finally {
    await client.end();
  }
}

export { AGENTS };

/**
 * As the table is after a year of recording: read before, so that its rows are known to be committed, and without the map that VACUUM makes
 * of what is free. Rows of one size leave room on each page, which new events would be spread over, one to a page that nobody has in memory.
 */
const SETTLED = [
  'ALTER TABLE es_event SET (autovacuum_enabled = off)',
  'ANALYZE es_event',
  'SELECT count(*) FROM es_event WHERE occurred_at IS NOT NULL',
];

const ID = (prefix, number) => `'${prefix}_01' || lpad((${number})::text, 24, '0')`;
const INSTANT = (at) => `to_char((${at}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
/** A number below \`below\` that looks random and is always the same for the same seed. */
const RANDOM = (seed, below) => `(abs(hashint8((${seed})::bigint)::bigint) % ${below})`;
/** Conversations that begin between two messages of one: about four hours. */
const APART = 'greatest(1, $3::int / 2200)';
const META = `'{"actor": {"type": "key", "id": "key_x"}, "request_id": null, "traceparent": null}'::jsonb`;

/*
 * Message k of a conversation has its slot some conversations after message k - 1, so that those of many interleave.
 * $1 organization, $2 agents, $3 conversations, $4 and $5 the slots.
 */
const MESSAGES = `
  INSERT INTO es_event (organization_id, stream_id, version, tx, position, stream_type, event_id, type, schema_version,
                        data, meta, occurred_at)
  SELECT $1, conversation_id, k, '100'::xid8, nextval('es_position'), 'conversation', ${ID('event', 'slot')},
         CASE k WHEN 1 THEN 'ConversationOpened' ELSE 'MessageRecorded' END, 1,
         CASE k WHEN 1 THEN jsonb_build_object('conversation_id', conversation_id, 'contact_id', ${ID('contact', 'c')},
                                               'folder', NULL, 'agent_id', NULL, 'message', message)
                ELSE jsonb_build_object('message', message) END,
         ${META}, sent_at
    FROM (SELECT slot, c, k, sent_at, ${ID('conv', 'c')} AS conversation_id,
                 jsonb_build_object(
                   'message_id', ${ID('msg', 'slot')},
                   'agent_id', CASE WHEN is_received THEN NULL
                                    ELSE ($2::text[])[1 + (${RANDOM('c', 1_000)} + (${RANDOM('slot', 10)} / 9) ) % cardinality($2)] END,
                   'modality', CASE ${RANDOM('c * 7', 10)} WHEN 0 THEN 'text' WHEN 1 THEN 'call' WHEN 2 THEN 'live_chat' ELSE 'email' END,
                   'message_direction', CASE WHEN is_received THEN 'received' ELSE 'sent' END,
                   'is_form_request', k = 1 AND ${RANDOM('c * 11', 20)} = 0,
                   'subject', 'Renewal of the contract', 'content', repeat('Shall we talk about the renewal? ', 6),
                   'body_html', NULL, 'call_transcript', NULL, 'form_request_body', NULL,
                   'sent_at', ${INSTANT('sent_at')}, 'drafted_at', NULL,
                   'email_metadata', jsonb_build_object('email_message_id', 'm' || slot || '@acme.example', 'in_reply_to', '[]'::jsonb,
                                                        'references', '[]'::jsonb, 'cc_emails', '[]'::jsonb, 'bcc_emails', '[]'::jsonb),
                   'call_metadata', '{"duration": null}'::jsonb, 'external_id', 'external-' || slot,
                   'is_auto_reply', is_received AND ${RANDOM('slot * 13', 40)} = 0) AS message
            FROM (SELECT slot, c, k, CASE k WHEN 1 THEN ${RANDOM('c * 3', 20)} > 0 ELSE (k + ${RANDOM('slot * 5', 3)} / 2) % 2 = 1 END AS is_received,
                         '${YEAR.start_date}'::timestamptz
                           + (c + (k - 1) * apart + apart * 0.9 * power(${RANDOM('slot * 17', 1_000_000)} / 1e6, 3)) * step AS sent_at
                    FROM (SELECT slot, 1 + (slot - 1) % ${MESSAGES_EACH} AS k, ${APART} AS apart,
                                 interval '365 days' / $3::int AS step
                            FROM generate_series($4::int, $5::int) slot) slots,
                         LATERAL (SELECT 1 + (slot - 1) / ${MESSAGES_EACH} - (k - 1) * apart AS c) numbered
                   WHERE c BETWEEN 1 AND $3::int) drawn) made
   ORDER BY slot`;

/* Opened, quoted and moved on at most twice. $1 organization, $2 agents, $3 sales, $4 and $5 the numbers, $6 stages. */
const SALES = `
  INSERT INTO es_event (organization_id, stream_id, version, tx, position, stream_type, event_id, type, schema_version,
                        data, meta, occurred_at)
  SELECT $1, sale_id, version, '100'::xid8, nextval('es_position'), 'sale', ${ID('event', '900000000 + n * 10 + version')}, type, 1,
         data, ${META}, at
    FROM (SELECT n, ${ID('sale', 'n')} AS sale_id, '${YEAR.start_date}'::timestamptz + n * (interval '365 days' / $3::int) AS opened_at
            FROM generate_series($4::int, $5::int) n) sales,
         LATERAL (VALUES
           (1, 'SaleOpened', opened_at, jsonb_build_object(
              'sale_id', sale_id, 'company_id', NULL, 'owner_id', ($2::text[])[1 + n % cardinality($2)],
              'associated_contacts', '[]'::jsonb, 'associated_conversation_ids', jsonb_build_array(${ID('conv', 'n * 10')}),
              'custom_fields', '{}'::jsonb, 'created_at', ${INSTANT('opened_at')}, 'stage', $6::jsonb->0)),
           (2, 'SaleQuoted', opened_at + interval '1 day', jsonb_build_object(
              'quote_details', jsonb_build_object('output', jsonb_build_object('currency', CASE n % 3 WHEN 0 THEN 'USD' ELSE 'EUR' END,
                                                                               'total_price', (${RANDOM('n', 100_000)} / 4.0)::text),
                                                  'arguments', '{"products": []}'::jsonb),
              'quoted_at', ${INSTANT(`opened_at + interval '1 day'`)})),
           (3, 'SaleStageChanged', opened_at + interval '2 days',
              ($6::jsonb->1) || jsonb_build_object('changed_at', ${INSTANT(`opened_at + interval '2 days'`)})),
           (4, 'SaleStageChanged', opened_at + interval '9 days',
              ($6::jsonb->2) || jsonb_build_object('changed_at', ${INSTANT(`opened_at + interval '9 days'`)}))) events (version, type, at, data)
   WHERE version <= 1 + ${RANDOM('n * 3', 4)}`;

const PLAIN = [
  `CREATE TABLE plain_message AS
   SELECT organization_id, stream_id AS conversation_id, m.*
     FROM es_event, jsonb_to_record(data->'message') AS m(
            message_id text, sent_at timestamptz, message_direction text, agent_id text, modality text, is_form_request boolean,
            is_auto_reply boolean, content text)
    WHERE stream_type = 'conversation' AND data ? 'message'
    ORDER BY position`,
  `CREATE INDEX ON plain_message (organization_id, sent_at)`,
  `CREATE INDEX ON plain_message (organization_id, conversation_id, sent_at, message_id)`,
  `CREATE INDEX ON plain_message (organization_id, agent_id, sent_at)`,
  `CREATE TABLE plain_sale AS
   SELECT opened.organization_id, opened.stream_id AS sale_id, opened.data->>'owner_id' AS owner_id, opened.occurred_at AS created_at,
          (quoted.data #>> '{quote_details,output,total_price}')::numeric AS total_price
     FROM es_event opened LEFT JOIN es_event quoted
          ON quoted.organization_id = opened.organization_id AND quoted.stream_id = opened.stream_id AND quoted.type = 'SaleQuoted'
    WHERE opened.type = 'SaleOpened'`,
  `CREATE TABLE plain_sale_status AS
   SELECT organization_id, stream_id AS sale_id, occurred_at AS changed_at,
          CASE type WHEN 'SaleOpened' THEN data->'stage' ELSE data END->>'status_id' AS status_id,
          CASE type WHEN 'SaleOpened' THEN data->'stage' ELSE data END->>'status' AS status
     FROM es_event WHERE type IN ('SaleOpened', 'SaleStageChanged')`,
  `CREATE INDEX ON plain_sale (organization_id, created_at)`,
  `CREATE INDEX ON plain_sale_status (organization_id, sale_id, changed_at)`,
  'VACUUM ANALYZE plain_message',
  'VACUUM ANALYZE plain_sale',
  'VACUUM ANALYZE plain_sale_status',
];
