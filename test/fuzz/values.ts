import fc from 'fast-check';
import type { Json } from '../support/clients/client.js';
import { type Document, resolved, type Schema } from '../support/clients/openapi.js';

/** Stands for the nth id of its kind, or another word of the furnished workspace; filled in when the request is sent. */
export const place = (name: string, nth = 0): string => `{{${name}:${nth}}}`;

export const isPlace = (text: string): boolean => /^\{\{\w+:\d+\}\}$/.test(text);

const text = fc
  .oneof(
    { weight: 8, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('😀'.repeat(1_000), 'e\u0301', '\u202e', '{}', '<b>x</b>', '%s', '\\'),
    },
  )
  .map((one) => `x${one}`.slice(0, 1_000).replace(/[\uD800-\uDBFF]$/, ''));

/** RFC 3339 in all the forms that the contract takes. */
const instant: fc.Arbitrary<string> = fc
  .tuple(
    fc.date({
      min: new Date('1970-01-02T00:00:00Z'),
      max: new Date('2099-12-30T00:00:00Z'),
      noInvalidDate: true,
    }),
    fc.constantFrom('', '.1', '.123', '.123456', '.000000'),
    fc.constantFrom('Z', '+00:00', '-00:00', '+05:30', '-11:00', '+14:00'),
  )
  .map(([date, fraction, zone]) => `${date.toISOString().slice(0, 19)}${fraction}${zone}`);

const PHONES = ['+1 212 555 0101', '(212) 555-0101 x5', '0049 30 1234567', '12345', '+12125550101'];

const ZONES = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu');

/** What the schema cannot say of a field, by its name. */
const BY_NAME: Record<string, fc.Arbitrary<unknown>> = {
  owner_id: fc.constant(place('agent_id')),
  record_id: fc.constant(place('sale_id')),
  mentioned_agent_ids: fc.constantFrom([], [place('agent_id')]),
  conversation_ids: fc.constantFrom([], [place('conversation_id')]),
  from_contact_id: fc.nat(9).map((nth) => place('spare_contact_id', nth + 1)),
  from_company_id: fc.nat(9).map((nth) => place('spare_company_id', nth + 1)),
  from_conversation_id: fc.nat(9).map((nth) => place('from_conversation_id', nth)),
  tag_id: fc.constantFrom(place('tag_id'), [place('tag_id')]),
  colour: fc.constantFrom(null, '#1e90ff', '#ABCDEF'),
  metadata: fc.constantFrom({}, { erp_region: 'north' }, { a: '', 'ключ 👍': 'b'.repeat(500) }),
  organization_ids: fc.constant([place('organization_id')]),
  associated_contacts: fc.constant([{ contact_id: place('contact_id') }]),
  external_id: text,
  request_id: text,
  call_id: text,
  account_sid: text,
  visitor_id: text,
  message_id: text,
  email_message_id: text,
  cc_emails: fc.array(fc.emailAddress(), { maxLength: 3 }),
  bcc_emails: fc.array(fc.emailAddress(), { maxLength: 3 }),
  timezone: ZONES,
  time_zone: ZONES,
  default_region: fc.constantFrom('US', 'DE', 'GB'),
  days: fc.constantFrom([1], [1, 2, 3, 4, 5], [7]),
  domain: fc.oneof(fc.domain(), fc.constantFrom('https://NAVY.example/x?y', 'navy.example')),
  host: fc.constant('127.0.0.1'),
  port: fc.constant(1),
  base_url: fc.constant('http://127.0.0.1:1'),
  custom_fields: fc.constant({}),
  file_ids: fc.constant([]),
  file_name: fc.constantFrom('offer.pdf', '見積書.pdf', 'a"b;c', '👍'),
  send_at: fc.constantFrom('2020-01-01T00:00:00Z', '2020-01-01T00:00:00.5+02:00'),
  expires_at: fc.constantFrom(null, '2098-01-01T00:00:00Z', '2098-01-01T00:00:00.5+02:00'),
  wait: fc.constantFrom(0, 0, 0, 1),
  types: fc.constantFrom('ContactCreated', 'MessageRecorded,SaleOpened'),
  q: fc.constantFrom('grace', '"a phrase" or hello -no', 'rene*', '+1 (212) 555', '渋谷'),
};

/** The same, where other schemas have objects under the name. */
const TEXTS: Record<string, fc.Arbitrary<unknown>> = {
  from: fc.constantFrom(...PHONES),
  to: fc.constantFrom(...PHONES),
};

/** Rules that span fields, by the schema's name: what is made valid here is nothing that its shape could say. */
const REPAIRS: Record<string, (body: Json) => Json> = {
  CreateContactBody: (body) => ({ ...body, name: body.name ?? 'Grace' }),
  UpdateContactBody: (body) => ({ ...body, name: body.name ?? 'Grace' }),
  BusinessHoursBody: (body) => ({ ...body, from: '09:00', to: '17:30' }),
  CreateCustomFieldBody: (body) => ({ label: body.label, type: 'string' }),
  RecordMessageBody: ({ form_request_body, ...body }) => ({
    ...body,
    ...((body.conversation_id == null || body.contact) && { contact: body.contact ?? recipient }),
    ...(body.is_form_request === true && { form_request_body }),
  }),
  MessageAuthorBody: ({ contact_id: _, ...told }) => told,
  MessageRecipientBody: (body) => ({ ...body, name: body.name || 'Grace' }),
  RecordedContactBody: ({ contact_id: _, ...described }) =>
    described.name || described.email || described.phone_number ? described : recipient,
  CreateMessageDraftBody: (body) => ({ ...written(body), subject: 'Blue', ...recipient_fields }),
  SaveResponseDraftBody: (body) => ({ ...written(body), body_html: body.body_html ?? 'x' }),
  CreateTemplateBody: ({ name, modality }) => ({ name, modality, body_html: 'Dear {{contact.name}}' }),
  ChangeTemplateBody: ({ name }) => ({ name, subject: null, body_html: 'Dear {{contact.name}}' }),
  RenderTemplateBody: ({ contact_id: _, ...body }) => body,
  AddSuppressionBody: ({ reason }) => ({ email: 'grace@navy.example', reason }),
  CreateSaleBody: (body) => ({ ...body, company_id: place('company_id') }),
  UpdateSaleBody: (body) => ({ ...body, company_id: place('company_id') }),
  ChangeTagsBody: ({ add }) => (add ? { add: [place('tag_id')] } : { remove: [place('tag_id')] }),
  CreateTaskBody: oneLink,
  UpdateTaskBody: oneLink,
  UpdateConversationBody: snoozing,
  BulkChangesBody: ({ add_tag_ids: _, remove_tag_ids, ...body }) => ({
    ...snoozing(body),
    ...(remove_tag_ids ? { remove_tag_ids: [place('tag_id')] } : { add_tag_ids: [place('tag_id')] }),
  }),
  ChangeConversationsBody: (body) => ({ ...body, conversation_ids: [place('conversation_id')] }),
  QuoteBody: ({ currency, products }) => ({ currency, products }),
  CreateWebhookBody: (body) => ({ ...body, ...webhook }),
  ChangeWebhookBody: (body) => ({ ...body, ...webhook }),
};
/** Nobody listens there: what is sent is refused at once. */
const webhook = { url: 'http://127.0.0.1:1/hook', types: ['ContactCreated'] };
const recipient = { contact_id: place('contact_id') };
const recipient_fields = { to_email: 'grace@navy.example', to_phone_number: '+12125550101' };

function notified({ send_at, ...body }: Json): Json {
  if (body.autosend_draft !== true) return body;
  return { ...body, add_notification: false, ...(send_at !== undefined && { send_at }) };
}

/** Snoozed goes with an instant ahead, anything else with none. */
function snoozing({ snoozed_until: _, ...body }: Json): Json {
  const ahead = new Date(performance.timeOrigin + performance.now() + 200 * 86_400_000).toISOString();
  return body.status === 'snoozed' ? { ...body, snoozed_until: ahead } : body;
}

/** With a body of its own: whether a template has all its values is up to the records. */
function written({ template_id: _, sale_id: __, ...body }: Json): Json {
  return notified(body);
}

function oneLink({ company_id: _, contact_id: __, sale_id: ___, ...body }: Json): Json {
  return body;
}

/** Values that fit the schema and the rules of the field of this name. */
export function fitting(document: Document, schema: Schema, name = ''): fc.Arbitrary<unknown> {
  if (schema.$ref) {
    const repair = REPAIRS[schema.$ref.split('/').at(-1)];
    const inner = fitting(document, resolved(document, schema.$ref), name);
    return repair ? inner.map(repair) : inner;
  }
  const alternatives: Schema[] | undefined = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (alternatives) return fc.oneof(...alternatives.map((one) => fitting(document, one, name)));
  if (Array.isArray(schema.type)) {
    const some = { ...schema, type: schema.type.find((type: string) => type !== 'null') };
    return fc.oneof({ weight: 3, arbitrary: fitting(document, some, name) }, fc.constant(null));
  }
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const known = BY_NAME[name] ?? (schema.type === 'string' ? TEXTS[name] : undefined);
  return known ?? fittingType(document, schema, name);
}

function fittingType(document: Document, schema: Schema, name: string): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1_000, 2_000_000) });
    case 'array':
      return fc.array(fitting(document, schema.items, name), {
        minLength: schema.minItems ?? 0,
        maxLength: 3,
      });
    case 'object':
      return schema.properties ? fittingObject(document, schema) : freeObject;
    default:
      return fittingText(schema, name);
  }
}

/** Free objects may be nested and hold any text that can be stored. */
const freeObject = fc
  .dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  })
  .filter((value) => !JSON.stringify(value).includes('"__proto__"'));

function fittingObject(document: Document, { properties, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries<Schema>(properties).map(([name, one]) => [
    name,
    fitting(document, one, name),
  ]);
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: required,
    noNullPrototype: true,
  });
}

function fittingText({ format, pattern }: Schema, name: string): fc.Arbitrary<unknown> {
  if (format === 'date-time') return instant;
  if (format === 'date') return instant.map((one) => one.slice(0, 10));
  if (name === 'from_address') return fc.uuid().map((word) => `${word}@acme.example`);
  if (format === 'email' || ['email', 'reply_to'].includes(name)) return fc.emailAddress();
  if (name.includes('phone') || name === 'from_number') return fc.constantFrom(...PHONES);
  if (pattern) return fc.stringMatching(new RegExp(pattern)).filter((one) => !/[\p{Surrogate}\0]/u.test(one));
  // No tag has a name that turns.
  if (name === 'name') return text.filter((one) => !one.includes('\u202e'));
  return name.endsWith('_id') ? fc.constant(place(name)) : text;
}
