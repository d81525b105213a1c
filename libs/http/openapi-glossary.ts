import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './openapi-parts.js';

/** The meaning of a field with this name where its DTO says nothing more specific. */
const FIELDS: Record<string, string> = {
  account_sid: 'Account SID of the provider account.',
  action: 'What happened to the mail for this recipient (RFC 3464).',
  action_type: 'What happened to the record.',
  actor: 'Who did it.',
  address: 'Postal address, as people write it.',
  agent_id: 'An agent of the organization.',
  api_key: 'The key.',
  attachment_id: 'The file.',
  associated_contacts: 'Contacts of the sale, at most one of them primary.',
  attempts: 'How often delivery was tried.',
  audit_log_id: 'The record of the audit log.',
  auth_token: 'Secret of the provider account; never shown again.',
  bcc_emails: 'Further recipients whom the others do not see.',
  body_html: 'The body as HTML.',
  bounce_id: 'The recorded delivery report.',
  business_hours: 'When the organization works, in its time zone.',
  call_metadata: 'What is known of the call.',
  call_transcript: 'What was said.',
  cc_emails: 'Further recipients.',
  channel_id: 'The channel.',
  click_count: 'How often the link was followed.',
  companies: 'Fields of companies.',
  company_id: 'A company of the organization.',
  company_role: "The contact's role in the company.",
  completed_at: 'When it was completed.',
  contact_id: 'A contact of the organization.',
  contacts: 'Fields of contacts.',
  conversation_id: 'The conversation.',
  created_at: 'When it was created.',
  data: 'The items.',
  default_region: 'ISO 3166 region that phone numbers without a country code belong to.',
  delivery: 'Where it is on its way out.',
  detail: 'What is wrong.',
  domain: 'Domain of the company.',
  draft_id: 'The message draft.',
  drafted_at: 'When it was drafted.',
  due_at: 'When it is due.',
  email: 'E-mail address.',
  email_message_id: 'Message-ID of the e-mail.',
  email_metadata: 'What is known of the e-mail.',
  event_id: 'The event.',
  expires_at: 'When the key ends to be valid.',
  field: 'The field.',
  folder: 'Folder it is filed in.',
  from: 'Value before.',
  from_name: 'Name that mail is sent under.',
  from_number: 'Number that texts are sent from.',
  has_more: 'Whether there are more.',
  hint: 'What to call instead.',
  host: 'Host name of the server.',
  id: 'Its id.',
  is_form_request: 'Whether it is a submitted form.',
  is_read: 'Whether somebody has read the latest message.',
  key: 'Key under which its values stand in custom_fields.',
  key_id: 'The key, without its secret.',
  label: 'What people see.',
  link_id: 'The link.',
  message_direction: 'Whether the organization sent or received it.',
  message_id: 'The message.',
  method: 'HTTP method.',
  modality: 'Channel.',
  name: 'Name.',
  next_attempt_at: 'When it is tried next; null when it is not.',
  notes: 'What else there is to say.',
  occurred_at: 'When it happened.',
  options: 'The allowed values of type `enum`.',
  organization_id: 'The organization.',
  organization_ids: 'The organizations that the key sees.',
  phone_number: 'Phone number.',
  password: 'Password at the server; never shown again.',
  port: 'TCP port of the server.',
  product_name: 'What is sold.',
  products: 'What is offered.',
  provider: 'Who carries the messages.',
  quantity: 'How many.',
  read_only: 'Whether the key may only read.',
  received_at: 'When it came in.',
  recipient_email: 'Address it goes to.',
  recipient_name: 'Name of whom it goes to.',
  recipient_phone_number: 'Number it goes to.',
  record: 'What was changed.',
  record_type: 'Kind of record.',
  request_id: 'The request behind it.',
  response_id: 'The response draft.',
  revoked_at: 'When the key was revoked.',
  sale_id: 'The sale.',
  sales: 'Fields of sales.',
  scheduled_send_at: 'When it was put on the queue.',
  sent_at: 'When it was sent.',
  status: 'Where it stands.',
  status_id: 'The stage of the pipeline.',
  subject: 'Subject line.',
  task_id: 'The task.',
  timezone: 'IANA time zone.',
  title: 'What it is called.',
  to: 'Value after.',
  tracked_links: 'Links of a sent message whose clicks are counted.',
  type: 'Kind.',
  ui_type: 'How it is presented.',
  username: 'User name at the server.',
  uuid: 'The legacy solution.',
};

const PATH_PARAMETERS: Record<string, string> = {
  attachment_id: 'A file of the message.',
  audit_log_id: 'A record of the audit log.',
  agent_id: 'An agent of the organization.',
  channel_id: 'A channel, from its inbound URL.',
  company_id: 'A company of the organization.',
  contact_id: 'A contact of the organization.',
  conversation_id: 'A conversation of the organization.',
  delivery_id: 'An event on its way to the webhook.',
  draft_id: 'A message draft of the organization.',
  key_id: 'An API key.',
  link_id: 'A tracked link.',
  message_id: 'A message of the conversation.',
  modality: 'email, text or live_chat.',
  name: 'A projection.',
  organization_id: 'An organization that the key sees.',
  record: 'Whose field it is: sales, contacts or companies.',
  response_id: 'A response draft of the conversation.',
  solution_id: 'A legacy solution, by its `uuid`.',
  sale_id: 'A sale of the organization.',
  task_id: 'A task of the organization.',
  webhook_id: 'A webhook of the organization.',
};

/** In the order of work: who is there, what is said, what comes of it, what it amounts to, and what operators do. */
const TAGS: Record<string, string> = {
  'Organizations and agents': 'What the key sees, and who works there.',
  Contacts: 'The people one talks with.',
  Companies: 'Companies that contacts belong to.',
  Conversations: 'Conversations over any channel.',
  Messages: 'What was said in a conversation, with its files and links, and what is to be recorded.',
  'Message drafts': 'First messages before they are sent.',
  'Response drafts': 'Replies to conversations before they are sent.',
  'Tracked links': 'Links in mails that were sent.',
  Sales: 'Sales, their quotes, and the pipeline they move through.',
  Tasks: 'What is to be done, by whom, until when.',
  Analytics: 'Figures over windows of time, exact to the definitions.',
  'Audit log': 'Who changed what.',
  Events: 'Everything that happened, in order, for other systems to follow.',
  Legacy: 'Two routes of version 1 for those who still use them.',
  Administration: 'What operators set up and watch. Needs the operator key.',
  Webhooks: 'Events sent to other systems as they happen, signed. Needs the operator key.',
  Inbound: 'Where providers push what came in. The URLs, with their tokens, are on the channels.',
  Health: 'Whether the service works, and how.',
  Documentation: 'This document, for programs and for people.',
};

const RESPONSES: Record<string, string> = {
  200: 'Done.',
  201: 'Created.',
  204: 'Done; there is nothing to show.',
};

interface Described {
  description?: string;
  $ref?: string;
}

interface Operation extends Described {
  summary?: string;
  tags?: string[];
  parameters?: (Described & { name: string; in: string })[];
  responses?: Record<string, Described>;
}

/** Gives tags, operations, fields, parameters and answers without a description the one of their term. */
export function describeTerms(document: OpenAPIObject): OpenAPIObject {
  const used = new Set<string>();
  for (const schema of Object.values(document.components?.schemas ?? {}))
    for (const [name, property] of Object.entries(
      (schema as { properties?: Record<string, Described> }).properties ?? {},
    ))
      describe(property, FIELDS[name]);
  for (const { operation } of operationsOf<Operation>(document)) {
    summarise(operation);
    for (const tag of operation.tags ?? []) used.add(tag);
    for (const parameter of operation.parameters ?? [])
      describe(parameter, (parameter.in === 'path' ? PATH_PARAMETERS : FIELDS)[parameter.name]);
    for (const [status, response] of Object.entries(operation.responses ?? {}))
      describe(response, RESPONSES[status]);
  }
  document.tags = Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
  return document;
}

/**
 * A route's first paragraph is its summary, the others are its description, for which the summary stands in if there are
 * none.
 */
function summarise(operation: Operation): void {
  const [first, ...rest] = (operation.summary ?? '')
    .split(/\n{2,}/)
    .map((text) => text.replaceAll('\n', ' '));
  operation.summary = first!;
  describe(operation, rest.length > 0 ? rest.join('\n\n') : first);
}

function describe(item: Described, description: string | undefined): void {
  if (description !== undefined && !item.description) item.description = description;
}
