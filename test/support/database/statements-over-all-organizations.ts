/**
 * The statements that do not name one organization, by words of theirs, each with its reason. On a cluster that distributes the
 * tables by organization each of them asks every node.
 */
export const OVER_ALL_ORGANIZATIONS: Record<string, string> = {
  // The feed of all, from which projections are made.
  'FROM es_event WHERE (tx, position) >':
    'the feed of all organizations, and whether there is anything new in it',
  'FROM es_event ORDER BY es_event.tx DESC': 'whether the events are of this cluster, once at start',

  // What is due, whoever has it: asked once a second, and of each kind where some of it is. What is found is done by statements of its organization.
  'SELECT DISTINCT kind FROM (SELECT organization_id,': 'the kinds of work that are due',
  'SELECT DISTINCT organization_id, NULL::int AS missing_worker FROM delivery':
    'organizations with due drafts',
  'SELECT organization_id, file_id FROM file WHERE unused_since': 'files that are in no draft any more',
  'SELECT organization_id, tag_id FROM tag_spread': 'changed tags of which records are to be told',
  'SELECT organization_id, notice_id FROM (SELECT *, row_number()': 'due notices',
  'SELECT organization_id, conversation_id FROM (SELECT organization_id':
    'snoozed conversations that are due',
  'FROM webhook w CROSS JOIN LATERAL ( SELECT FROM webhook_delivery': 'webhooks with due deliveries',
  'max(created_at) AS latest FROM (SELECT organization_id, request': 'answers that are too old to keep',
  'max(created_at) AS latest, count(*)::int AS count FROM (SELECT organization_id, webhook_id':
    'deliveries that are too old to keep',

  // Whose is it? The organization is what is asked for.
  'FROM channel WHERE channel_id = $1': 'the channel that a hook is for',
  'FROM channel WHERE address = ANY ($1)': 'the channel that a mail is for',
  'FROM tracked_link WHERE link_id = $1': 'the link that somebody follows',

  // A key has settings in each of its organizations: one append of all of them (docs/adr/0020-settings-leave-events.md).
  'FROM jsonb_to_recordset(p_streams) AS s(organization_id text': 'the streams of a key in its organizations',
  'AS e(organization_id text, stream_id text': 'the events of a key in its organizations',

  // One organization, named with each row.
  'INSERT INTO "stage"("organization_id"': 'the stages of an organization',

  // The configuration, which is small; a cluster keeps it on every node.
  'FROM organization WHERE organization_id = ANY ($1)': 'the organizations of an API key',
  'FROM solution WHERE organization_id = ANY ($1)': 'the solutions of an API key',

  // For operators.
  'FROM audit_log WHERE record_type IN (': 'the audit log of all organizations',
  'FROM audit_log WHERE occurred_at': 'the same between two instants',
  'FROM audit_log WHERE record_id = $1': 'what has become of a record of any organization',
  'FROM audit_log WHERE request_id = $1': 'what a request has done in any organization',
  'FROM audit_log WHERE organization_id = ANY ($1)': 'an audit record of any organization',
  'FROM audit_log WHERE asked_record.type': 'kinds of records in the audit log of all organizations',
  'FROM audit_log WHERE agent_id = $1': "the organization of an agent's audit records",
  'FROM audit_log WHERE key_id = $1': "a key's audit records in each of its organizations",
  'WITH RECURSIVE field_set AS ( (SELECT fields, record_type, action_type, actor_type FROM audit_log WHERE true':
    'which fields have changed together in any organization',
  'AS wanted (of_organization_id, id) JOIN agent ON': 'the names of agents of several organizations',
  'FROM organization ORDER BY': 'all organizations',
  'FROM channel ORDER BY': 'all channels, for doctor',
  'FROM webhook ORDER BY': 'all webhooks, for doctor',
  'FROM delivery WHERE status = ANY': 'the deliveries that operators are to look at',
  'WITH unread AS ( SELECT es_event.tx, position, occurred_at FROM es_event': 'how far read models have come',
  'FROM es_event WHERE tx >= coalesce': 'a metric: how long the feed is held back',
  'min(due_at)), 0)::float AS seconds FROM delivery': 'a metric: for how long drafts are due',
  'count(*)::int AS count FROM delivery GROUP BY status': 'a metric: drafts by their status',
  'min(d.due_at)), 0)::float AS seconds FROM webhook w': 'a metric: for how long webhooks have not been sent',
  'FROM webhook_delivery WHERE status <>': 'a metric: deliveries to webhooks by their status',
  'FROM webhook GROUP BY 1': 'a metric: webhooks by their state',
};
