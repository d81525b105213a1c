// One statement of the bare server that writes. With BARE_FACTS it also writes what the contract asks for beside the row, the
// event of the feed and the record of the audit log, so that the rest of the distance to Parley is Parley's own.
const AUDITED = new Set(['conversation', 'draft', 'sale']);
const META = {
  actor: { type: 'api_key', id: `key_7${'0'.repeat(25)}` },
  request_id: `req-${'0'.repeat(32)}`,
};
let written = 0;
const nextId = (prefix) => `${prefix}_7${String(++written).padStart(25, '0')}`;

/**
 * The query for `text`, which writes one row and answers with some of its columns. `before` is a statement that it refers to
 * by name. The event holds the `body` that was asked for and is of the stream `id` of a `table` at `version`.
 */
export function writeOf({
  name,
  before,
  text,
  columns,
  body,
  values,
  table,
  id,
  version = 'stream_version',
}) {
  if (!process.env.BARE_FACTS)
    return { name, text: `${before ? `WITH ${before} ` : ''}${text} RETURNING ${columns}`, values };
  const [event, meta, data, audit] = [1, 2, 3, 4].map((nr) => `$${values.length + nr}`);
  const steps = [
    ...(before ? [before] : []),
    `written AS (${text} RETURNING *)`,
    `event AS (
       INSERT INTO bare_es_event (organization_id, stream_id, version, tx, position, stream_type, event_id, type,
                                  schema_version, data, meta, occurred_at)
       SELECT organization_id, ${id}, ${version}, pg_current_xact_id(), nextval('es_position'), '${table}', ${event},
              'Written', 1, ${data}::jsonb, ${meta}::jsonb, now() FROM written)`,
  ];
  values = [...values, nextId('event'), META, body];
  if (AUDITED.has(table)) {
    steps.push(`audit AS (
      INSERT INTO bare_audit_log (organization_id, audit_log_id, occurred_at, action_type, record_type, record_id, changes,
                                  actor, request_id, event_id)
      SELECT organization_id, ${audit}, now(), 'update', '${table}', ${id},
             jsonb_build_array(jsonb_build_object('field', '${table}', 'from', NULL, 'to', ${data}::jsonb)),
             ${meta}::jsonb -> 'actor', ${meta}::jsonb ->> 'request_id', ${event} FROM written)`);
    values.push(nextId('audit'));
  }
  return { name, text: `WITH ${steps.join(', ')} SELECT ${columns} FROM written`, values };
}
