/** The API's records, as far as the console shows them. Instants are ISO 8601 strings. */
export interface Page<Row> {
  data: Row[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

export interface Tag {
  tag_id: string;
  name: string;
  colour: string | null;
}

export interface Agent {
  agent_id: string;
  name: string;
  email: string | null;
}

/** What contacts and companies have alike. */
export interface CrmRecord {
  name: string;
  created_at: string;
  custom_fields: Record<string, unknown>;
  external_id: string | null;
  metadata: Record<string, string>;
  tags: Tag[];
}

export interface Company extends CrmRecord {
  company_id: string;
  domain: string | null;
  address: string | null;
  agent_id: string | null;
  agent?: Agent | null;
}

export interface Contact extends CrmRecord {
  contact_id: string;
  email: string;
  phone_number: string;
  company_id: string | null;
  company_role: string | null;
  company?: Company | null;
}

export interface CustomField {
  key: string;
  label: string;
  type: 'string' | 'number' | 'boolean' | 'enum';
  ui_type: string | null;
  options: string[] | null;
}

/** A stage of the pipeline. */
export interface Stage {
  status_id: string;
  label: string;
  status: string | null;
}

export interface Quote {
  output: { currency: string; total_price: string };
  arguments: { products: { product_name: string; quantity: number; unit_price: string }[] };
}

export interface Sale {
  sale_id: string;
  name: string | null;
  company_id: string | null;
  owner_id: string | null;
  associated_contacts: { contact_id: string; is_primary: boolean }[];
  associated_conversation_ids: string[];
  quote_details: Quote | null;
  custom_fields: Record<string, unknown>;
  current_status: (Stage & { changed_at: string }) | null;
  status_history: (Stage & { changed_at: string })[];
  created_at: string;
  last_activity_at: string;
  expected_close_on: string | null;
  closed_at: string | null;
  tags: Tag[];
  company?: Company | null;
  owner?: Agent | null;
}

export interface Task {
  task_id: string;
  title: string;
  notes: string | null;
  due_at: string | null;
  completed_at: string | null;
  agent_id: string | null;
  company_id: string | null;
  contact_id: string | null;
  sale_id: string | null;
  created_at: string;
  agent?: Agent | null;
  company?: Company | null;
  contact?: Contact | null;
  sale?: Sale | null;
}

export type Status = 'open' | 'snoozed' | 'closed';

export interface Conversation {
  conversation_id: string;
  last_activity_at: string;
  folder: string | null;
  is_read: boolean;
  contact_id: string;
  agent_id: string | null;
  status: Status;
  snoozed_until: string | null;
  subject: string | null;
  preview: string;
  message_count: number;
  comment_count: number;
  last_message: { message_id: string; direction: 'sent' | 'received'; modality: string; sent_at: string };
  /** The channel that a reply leaves by. */
  reply_modality: string;
  waiting_since: string | null;
  has_draft: boolean;
  tags: Tag[];
  updated_at: string;
  contact?: Contact | null;
  agent?: Agent | null;
}

export interface Person {
  name: string | null;
  email: string | null;
  phone_number?: string | null;
}

export interface Attachment {
  attachment_id: string;
  file_name: string | null;
  content_type: string;
  size: number;
  content_id: string | null;
  is_inline: boolean;
}

export interface Message {
  message_id: string;
  conversation_id: string;
  agent_id: string | null;
  agent?: Agent | null;
  modality: string;
  message_direction: 'sent' | 'received';
  subject: string | null;
  content: string;
  new_content: string | null;
  body_html: string | null;
  call_transcript: string | null;
  is_form_request: boolean;
  form_request_body: Record<string, unknown> | null;
  is_auto_reply: boolean;
  sent_at: string;
  from: Person;
  to: Person[];
  cc: Person[];
  call_metadata: { duration: number | null };
  tracked_links: { link_id: string; url: string; click_count: number }[];
  attachments: Attachment[];
}

export interface KeptFile {
  file_id: string;
  file_name: string;
  size: number;
}

export interface Delivery {
  status: 'none' | 'queued' | 'sending' | 'retrying' | 'failed' | 'uncertain';
  attempts: number;
  last_error: string | null;
  next_attempt_at: string | null;
}

export interface Reply {
  response_id: string;
  body_html: string | null;
  recipient_name: string | null;
  recipient_email: string | null;
  cc_emails: string[];
  bcc_emails: string[];
  without_signature: boolean;
  scheduled_send_at: string | null;
  updated_at: string;
  cancel_on_reply: boolean;
  close_after_send: boolean;
  files: KeptFile[];
  delivery: Delivery;
}

export interface Comment {
  comment_id: string;
  agent_id: string | null;
  body: string;
  mentioned_agent_ids: string[];
  created_at: string;
  edited_at: string | null;
}

export interface Template {
  template_id: string;
  name: string;
  modality: string;
}

export interface AuditRecord {
  audit_log_id: string;
  /** Told to operators. */
  organization_id?: string;
  occurred_at: string;
  action_type: 'insert' | 'update' | 'delete';
  record: { type: string; id: string | null };
  changes: { field: string; from: unknown; to: unknown }[];
  actor: { type: string; id: string | null; name: string | null };
  key_id: string | null;
  request_id: string | null;
  event_id: string;
  reason: 'promoted' | null;
}

export interface Found {
  type: string;
  id: string;
  conversation_id: string | null;
  title: string;
  highlights: { field: string; text: string }[];
  occurred_at: string;
}

export interface TimelineEntry {
  type: 'message' | 'draft' | 'sale' | 'stage' | 'task' | 'comment' | 'change';
  id: string;
  occurred_at: string;
  conversation_id?: string | null;
  direction?: 'sent' | 'received';
  modality?: string | null;
  agent_id?: string | null;
  subject?: string | null;
  preview?: string;
  title?: string;
  name?: string | null;
  label?: string | null;
  action_type?: string;
  changes?: { field: string }[];
}
