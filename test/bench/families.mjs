const MESSAGE_COLUMNS = `message_id, conversation_id, agent_id, modality, message_direction, is_form_request, subject, content,
  body_html, call_transcript, form_request_body, sent_at, drafted_at, email_metadata, call_metadata, external_id, is_auto_reply,
  tracked_links, new_content, visitor_id, attachments, author AS "from", recipients AS "to", copies AS cc`;

const now = () => new Date().toISOString();

const entered = (status_id) => ({ status_id, label: 'Qualified', status: null, changed_at: now() });

/**
 * The families of routes as the bare server knows them, below /organizations/:organization_id: the table behind each, what a
 * body becomes in it (`created`, a row without its ids) and what a change of one writes (`changed`). `within` is a column that
 * the path names too; `order` replaces the newest first.
 */
export const FAMILIES = [
  {
    path: 'contacts',
    table: 'contact',
    id: 'contact_id',
    sort: 'created_at',
    columns: `contact_id, name, email, phone_number, created_at, company_id, custom_fields, company_role, external_id, metadata,
      tag_ids AS tags, updated_at`,
    created: ({ name, email, phone_number, company_role }) => ({
      name,
      email,
      phone_number,
      email_key: email.toLowerCase(),
      phone_key: phone_number.replace(/\D/g, ''),
      company_role,
      custom_fields: {},
      created_at: now(),
    }),
    changed: { set: 'company_role = $3', values: ({ company_role }) => [company_role] },
  },
  {
    path: 'companies',
    table: 'company',
    id: 'company_id',
    sort: 'created_at',
    columns: `company_id, name, domain, custom_fields, address, agent_id, created_at, external_id, metadata, tag_ids AS tags,
      updated_at`,
    created: ({ name, domain }) => ({ name, domain, custom_fields: {}, created_at: now() }),
  },
  {
    path: 'agents',
    table: 'agent',
    id: 'agent_id',
    sort: 'created_at',
    columns: 'agent_id, name, email, signature_html, updated_at',
  },
  {
    path: 'conversations',
    table: 'conversation',
    id: 'conversation_id',
    sort: 'last_activity_at',
    columns: `conversation_id, start_at, last_activity_at, folder, is_read, contact_id, agent_id, status, snoozed_until, subject,
      preview, message_count, last_message_id, last_direction, last_modality, last_agent_id, waiting_since, participants,
      tag_ids AS tags, comment_count, updated_at`,
    changed: { set: 'is_read = $3', values: ({ is_read }) => [is_read] },
  },
  {
    path: 'conversations/:conversation_id/messages',
    table: 'message',
    id: 'message_id',
    within: 'conversation_id',
    sort: 'sent_at',
    columns: MESSAGE_COLUMNS,
  },
  {
    path: 'message-drafts',
    table: 'draft',
    id: 'draft_id',
    sort: 'created_at',
    where: `kind = 'message' AND message_id IS NULL`,
    columns: `draft_id, subject, body_html, modality, agent_id, recipient_name, recipient_email, recipient_phone_number,
      recipient_emails, cc_emails, bcc_emails, scheduled_send_at, folder, created_at, delivery, files, without_signature, updated_at`,
    created: ({ modality, subject, body_html, to_user_name, to_email }) => ({
      kind: 'message',
      modality,
      subject,
      body_html,
      recipient_name: to_user_name,
      recipient_email: to_email,
      cc_emails: '[]',
      bcc_emails: '[]',
      links: '[]',
      folder: 'drafts',
      add_notification: false,
      was_overwritten: false,
      delivery: { status: 'none', attempts: 0, last_error: null, next_attempt_at: null },
      created_at: now(),
    }),
  },
  {
    path: 'sales',
    table: 'sale',
    id: 'sale_id',
    sort: 'last_activity_at',
    columns: `sale_id, associated_conversation_ids, company_id, owner_id, associated_contacts, quote_details, custom_fields,
      status_id, status_history, created_at, last_activity_at, name, expected_close_on, closed_at, external_id, metadata,
      tag_ids AS tags, updated_at`,
    created: ({ company_id, associated_contacts, status_id }) => ({
      company_id,
      associated_contacts: JSON.stringify(associated_contacts),
      associated_conversation_ids: '[]',
      status_id,
      status_history: JSON.stringify([entered(status_id)]),
      custom_fields: {},
      created_at: now(),
      last_activity_at: now(),
    }),
    changed: {
      set: 'status_id = $3, status_history = status_history || $4::jsonb, last_activity_at = now()',
      values: ({ status_id }) => [status_id, JSON.stringify(entered(status_id))],
    },
  },
  {
    path: 'sale-statuses',
    table: 'stage',
    columns: 'stage_id AS status_id, label, status, position',
    order: 'position',
  },
  {
    path: 'tasks',
    table: 'task',
    id: 'task_id',
    sort: 'created_at',
    columns: `task_id, title, notes, due_at, completed_at, agent_id, company_id, contact_id, sale_id, created_at, external_id,
      metadata, updated_at`,
    created: ({ title, due_at, company_id }) => ({ title, due_at, company_id, created_at: now() }),
    changed: { set: 'title = $3', values: ({ title }) => [title] },
  },
  {
    path: 'audit-logs',
    table: 'audit_log',
    id: 'audit_log_id',
    sort: 'occurred_at',
    where: `record_type IN ('sale', 'conversation', 'message_draft', 'response_draft')`,
    columns: `audit_log_id, occurred_at, agent_id, action_type, record_type, record_id, changes, actor, key_id,
      request_id, event_id, reason`,
  },
  {
    path: 'events',
    table: 'es_event',
    columns: `event_id, position, type, schema_version, occurred_at, stream_type, stream_id, version, meta, data`,
    order: 'tx, position',
  },
];

/** Tables that are written, of which the bare server has copies with their indexes. */
export const COPIED = [
  ...new Set(FAMILIES.flatMap(({ table, created, changed }) => (created || changed ? [table] : []))),
  'message',
  'es_event',
  'audit_log',
];
