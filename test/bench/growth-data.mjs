import pg from 'pg';
import { checkpoint } from './servers.mjs';

const AT_ONCE = 250_000;
const MESSAGES_EACH = 10;
const SAMPLES = 500;

const ID = (prefix, number) => `'${prefix}_01' || lpad((${number})::text, 24, '0')`;
/** The organization of row n; those that are asked are among the first. */
const ORGANIZATION = `coalesce(($3::text[])[1 + n % $4], ${ID('org', 'n % $4')})`;
const AT = `'2025-01-02T03:04:05Z'::timestamptz + n * interval '1.000001 seconds'`;
/** Message n is of conversation n / 10, which is of one organization. */
const CONVERSATION = `n / (${MESSAGES_EACH} * $4) * $4 + n % $4`;

/** $1 and $2 the numbers of the rows, $3 the organizations that are asked, $4 how many there are. */
const TABLES = [
  `INSERT INTO contact (organization_id, contact_id, name, email, phone_number, email_key, phone_key, company_id,
                        company_role, custom_fields, created_at, stream_version)
   SELECT ${ORGANIZATION}, ${ID('contact', 'n')}, 'Grace Hopper ' || n, 'Grace' || n || '@navy.example',
          '+1 (555) 01' || lpad(n::text, 8, '0'), 'grace' || n || '@navy.example', '+155501' || lpad(n::text, 8, '0'),
          ${ID('company', 'n % 5000')}, 'Rear admiral', '{}', ${AT}, 1
     FROM generate_series($1::int, $2::int) n`,
  `INSERT INTO es_event (organization_id, stream_id, version, tx, position, stream_type, event_id, type, schema_version,
                         data, meta, occurred_at)
   SELECT ${ORGANIZATION}, ${ID('contact', 'n')}, 1, '100'::xid8, nextval('es_position'), 'contact', ${ID('event', 'n')},
          'ContactCreated', 1, jsonb_build_object('contact_id', ${ID('contact', 'n')}, 'name', 'Grace Hopper ' || n),
          '{"actor": {"type": "key", "id": "key_x"}}', ${AT}
     FROM generate_series($1::int, $2::int) n`,
  `INSERT INTO conversation (organization_id, conversation_id, contact_id, is_read, start_at, last_activity_at,
                             last_message_id, last_modality, has_beginning, stream_version)
   SELECT ${ORGANIZATION}, ${ID('conv', CONVERSATION)}, ${ID('contact', CONVERSATION)}, true, ${AT}, ${AT}, ${ID('msg', 'n')},
          'email', true, ${MESSAGES_EACH}
     FROM generate_series($1::int, $2::int) n WHERE n / $4 % ${MESSAGES_EACH} = 0`,
  `INSERT INTO message (organization_id, message_id, conversation_id, modality, message_direction, is_form_request, subject,
                        content, sent_at, email_metadata, call_metadata, is_auto_reply, email_message_key, tracked_links)
   SELECT ${ORGANIZATION}, ${ID('msg', 'n')}, ${ID('conv', CONVERSATION)}, 'email', 'received', false, 'Renewal of the contract',
          repeat('Shall we talk about the renewal? ', 6), ${AT},
          jsonb_build_object('email_message_id', 'm' || n || '@navy.example', 'cc_emails', '[]'::jsonb, 'bcc_emails', '[]'::jsonb),
          '{"duration": null}', false, 'm' || n || '@navy.example', '[]'
     FROM generate_series($1::int, $2::int) n`,
];

/** Writes so many contacts, their events and as many messages; gives some of them, from all over. */
export async function fillGrowth(databaseUrl, { rows, organizations, asked }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO organization (organization_id, name, timezone, default_region, business_hours, created_at)
       SELECT ${ID('org', 'n')}, 'Growth', 'UTC', 'US', '{"days": [1], "from": "09:00", "to": "17:00"}', now()
         FROM generate_series($1::int, $2::int - 1) n`,
      [asked.length, organizations],
    );
    await Promise.all(TABLES.map((text) => fill(databaseUrl, text, { rows, organizations, asked })));
    await client.query('VACUUM ANALYZE');
    await checkpoint(databaseUrl);
    const { rows: samples } = await client.query(
      `SELECT organization_id, conversation_id, contact_id, email FROM conversation JOIN contact USING (organization_id, contact_id)
        WHERE organization_id = ANY ($1) ORDER BY hashtext(conversation_id) LIMIT ${SAMPLES}`,
      [asked],
    );
    return samples;
  } finally {
    await client.end();
  }
}

/** Fills one table, on a connection of its own, so that others are filled beside it. */
async function fill(databaseUrl, text, { rows, organizations, asked }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (let from = 0; from < rows; from += AT_ONCE)
      await client.query(text, [from, Math.min(from + AT_ONCE, rows) - 1, asked, organizations]);
  } finally {
    await client.end();
  }
}
