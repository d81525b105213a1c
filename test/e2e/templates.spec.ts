import {
  apiOf,
  type Client,
  emailChannel,
  type Json,
  newKey,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { changesOf } from '../support/clients/audit.js';
import { CHROMIUM, hasChromium, launchChromium, newPage } from '../support/clients/browser.js';
import { textChannel } from '../support/clients/doors.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import { readFeed } from '../support/clients/feed.js';
import { HOSTILE_HTML } from '../support/data/hostile-html.js';
import { inDatabase } from '../support/database/database.js';
import { autosend, draftsOf, promotedMessage, receivedMail } from '../support/data/mail.js';
import { firstMessage, openedBy } from '../support/data/message-drafts.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { needs } from '../support/needs.js';

const NOBODY = '01hzy3v7q4e8k9m2n5p6r7s8t9';

let smtp: TestSmtp;
let workspace: Workspace;
let api: Client;
/** Grace of the Navy, with a value for each type of custom field. */
let contact: Json;
let sale: Json;

beforeAll(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  ({ api } = workspace);
  await emailChannel(workspace, smtp.port);
  await textChannel(workspace);
  for (const field of [
    { label: 'Contract end', type: 'string', ui_type: 'date' },
    { label: 'Size', type: 'number' },
    { label: 'Is partner', type: 'boolean' },
    { label: 'Colour', type: 'enum', options: ['blue & white', 'red'] },
    { label: 'Nothing', type: 'string' },
  ])
    await ok(workspace.adminApi.post('custom-fields/contacts', field));
  const { company_id } = await ok(api.post('companies', { name: 'Navy' }));
  contact = await ok(
    api.post('contacts', {
      name: 'Grace Hopper',
      email: `${unique('grace')}@navy.example`,
      phone_number: '+1 212 555 0101',
      company_id,
      custom_fields: {
        contract_end: '2027-03-31',
        size: 12.5,
        is_partner: true,
        colour: 'blue & white',
        nothing: null,
      },
    }),
  );
  sale = await quotedSale(workspace, company_id);
});
afterAll(() => smtp.close());

async function quotedSale({ api }: Workspace, company_id: string): Promise<Json> {
  const { data: stages } = await ok(api.get('sale-statuses'));
  const sale = await ok(api.post('sales', { status_id: stages[0].status_id, company_id }));
  const products = [{ product_name: 'Chair', quantity: 3, unit_price: '19.90' }];
  await ok(api.put(`sales/${sale.sale_id}/quote`, { currency: 'EUR', products }));
  return ok(api.get(`sales/${sale.sale_id}`));
}

const template = (fields: object = {}): object => ({
  name: 'Renewal',
  modality: 'email',
  subject: 'Your renewal, {{contact.name}}',
  body_html: '<p>Dear {{contact.name}}</p>',
  ...fields,
});
const create = (fields: object = {}, of = api) => of.post('templates', template(fields));
const made = (fields: object = {}): Promise<Json> => ok(create(fields));
const pathOf = ({ template_id }: Json): string => `templates/${template_id}`;
const render = (of: Json, body?: object, by = api) => by.post(`${pathOf(of)}/render`, body);
const rendered = async (fields: object, body?: object): Promise<Json> => ok(render(await made(fields), body));
const conversationWith = (fields: object = {}): Promise<Json> =>
  receivedMail(workspace, { contact: { contact_id: contact.contact_id }, ...fields });

/** Every name, each in a line of its own. */
const EVERY_NAME = [
  'contact.name',
  'contact.email',
  'contact.custom_fields.contract_end',
  'contact.custom_fields.size',
  'contact.custom_fields.is_partner',
  'contact.custom_fields.colour',
  'company.name',
  'agent.name',
  'agent.email',
  'organization.name',
  'sale.total_price',
  'sale.currency',
];
const WITH_EVERY_NAME = EVERY_NAME.map((name) => `<p>${name}: {{${name}}}</p>`).join('');

describe('a template', () => {
  it('is kept as it is given, and shown', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      template_id: expect.stringMatching(/^template_[0-9a-z]{26}$/),
      ...template(),
      created_at: expect.stringMatching(INSTANT),
    });
    expect(await ok(api.get(pathOf(answer.body)))).toEqual(answer.body);
  });

  it('of a text has no subject', async () => {
    expect((await made({ modality: 'text', subject: undefined })).subject).toBeNull();
    expect((await made({ modality: 'text', subject: null })).subject).toBeNull();
    expectProblem(await create({ modality: 'text' }), 400, 'validation_failed', 'subject');
    const text = await made({ modality: 'text', subject: undefined });
    expectProblem(await api.patch(pathOf(text), { subject: 'x' }), 400, 'validation_failed', 'subject');
  });

  it.each<[string, string, object]>([
    ['name', 'left out', { name: undefined }],
    ['name', 'blank', { name: ' ' }],
    ['name', 'long', { name: 'x'.repeat(1_001) }],
    ['modality', 'left out', { modality: undefined }],
    ['modality', 'another channel', { modality: 'live_chat' }],
    ['subject', 'long', { subject: 'x'.repeat(1_001) }],
    ['body_html', 'left out', { body_html: undefined }],
    ['body_html', 'empty', { body_html: '' }],
    ['body_html', 'a script', { body_html: '<script>x</script>' }],
    ['body_html', 'long', { body_html: 'x'.repeat(1_000_001) }],
    ['template_id', 'given', { template_id: `template_${NOBODY}` }],
  ])('is refused where its %s is %s', async (field, _, fields) =>
    expectProblem(await create(fields), 400, 'validation_failed', field),
  );

  it('is kept without what could run', async () => {
    const body_html =
      '<p onclick="x()">{{contact.name}}</p><a href="mailto:{{contact.email}}">mail</a><script>x</script>';
    expect((await made({ body_html })).body_html).toBe(
      '<p>{{contact.name}}</p><a href="mailto:{{contact.email}}">mail</a>',
    );
  });

  it('is listed by name, in any case and with accents, a page at a time', async () => {
    const { api } = await newWorkspace();
    for (const name of ['beta', 'Alpha', 'Ärger', 'alpha', 'Gamma']) await ok(create({ name }, api));
    const names = async (query: object): Promise<[string[], string | null]> => {
      const { data, pagination } = await ok(api.get('templates', { ...query }));
      return [data.map(({ name }: Json) => name), pagination.next_cursor];
    };
    const all = ['Alpha', 'alpha', 'Ärger', 'beta', 'Gamma'];
    expect(await names({})).toEqual([all, null]);
    const [first, cursor] = await names({ limit: 3 });
    expect(first).toEqual(all.slice(0, 3));
    expect(await names({ limit: 3, cursor })).toEqual([all.slice(3), null]);
  });

  it('changes in the fields that are named', async () => {
    const before = await made();
    const changed = await ok(api.patch(pathOf(before), { name: 'Reminder', subject: null }));
    expect(changed).toEqual({ ...before, name: 'Reminder', subject: null });
    expect(await ok(api.get(pathOf(before)))).toEqual(changed);
    expectProblem(
      await api.patch(pathOf(before), { body_html: '{{nobody}}' }),
      400,
      'validation_failed',
      'body_html',
    );
  });

  it('is changed only at the version that If-Match names', async () => {
    const { headers, body } = await create();
    const stale = api.with({ 'if-match': headers.get('etag')! });
    await ok(stale.patch(pathOf(body), { name: 'Once' }));
    expectProblem(await stale.patch(pathOf(body), { name: 'Twice' }), 412, 'version_mismatch');
  });

  it('is no more once it is deleted', async () => {
    const gone = await made();
    expect((await api.delete(pathOf(gone))).status).toBe(204);
    for (const answer of [
      await api.get(pathOf(gone)),
      await api.patch(pathOf(gone), { name: 'x' }),
      await api.delete(pathOf(gone)),
      await render(gone, {}),
    ])
      expectProblem(answer, 404, 'template_not_found');
    const { data } = await ok(api.get('templates', { limit: 200 }));
    expect(data.map(({ template_id }: Json) => template_id)).not.toContain(gone.template_id);
  });

  it('is made once with an Idempotency-Key', async () => {
    const once = api.with({ 'idempotency-key': unique('once') });
    const [first, second] = [await create({}, once), await create({}, once)];
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  it('tells what becomes of it in the feed and in the audit log', async () => {
    const one = await made({ name: 'Told' });
    await ok(api.patch(pathOf(one), { name: 'Told again' }));
    await api.delete(pathOf(one));
    const { data } = await readFeed(api, { record_id: one.template_id });
    expect(data.map(({ type, data }: Json) => [type, data])).toEqual([
      ['TemplateCreated', one],
      ['TemplateChanged', { name: 'Told again' }],
      ['TemplateDeleted', {}],
    ]);
    const audited = async (query: Json): Promise<Json[]> => {
      const { data } = await ok(api.get('audit-logs', { record_id: one.template_id, ...query }));
      return data;
    };
    const records = await audited({ record_type: 'template' });
    expect(records.map(({ action_type }) => action_type)).toEqual(['delete', 'update', 'insert']);
    expect(changesOf(records[1])).toEqual({ name: ['Told', 'Told again'] });
    expect(await audited({ record_type: 'all' })).toEqual(records);
    expect(await audited({})).toEqual([]);
  });

  it('is nobody else’s', async () => {
    const other = await newWorkspace();
    const theirs = await ok(create({}, other.api));
    for (const answer of [await api.get(pathOf(theirs)), await render(theirs, {})])
      expectProblem(answer, 404, 'template_not_found');
    const draft = firstMessage({ body_html: undefined, template_id: theirs.template_id });
    expectProblem(await api.post('message-drafts', draft), 400, 'validation_failed', 'template_id');
  });
});

describe('a placeholder', () => {
  it('may be each of the known names, and each custom field of contacts', async () => {
    expect((await create({ subject: '{{ contact.name }}', body_html: WITH_EVERY_NAME })).status).toBe(201);
  });

  it.each([
    ['{{nobody}}'],
    ['{{contact.phone_number}}'],
    ['{{contact.custom_fields.unknown}}'],
    ['{{contact.constructor}}'],
    ['{{__proto__}}'],
    ['{{}}'],
    ['{{#contact.name}}x{{/contact.name}}'],
    ['{{^contact.name}}x{{/contact.name}}'],
    ['{{>partial}}'],
    ['{{{contact.name}}}'],
    ['{{&contact.name}}'],
    ['{{=<% %>=}}'],
    ['{{!comment}}'],
    ['{{contact.name'],
    ['{{'],
  ])('is refused by name where it is not one: %s', async (text) => {
    const [named] = /^\{\{+[^}]*\}*/.exec(text)!;
    for (const field of ['subject', 'body_html']) {
      const answer = await create({ [field]: `x ${text}` });
      expectProblem(answer, 400, 'validation_failed', field);
      expect(answer.body.detail).toContain(named);
    }
  });

  it('is judged as it is kept, where taking something out brings braces together', async () => {
    const body_html = '<p>{<script>x</script>{nobody}}</p>';
    expectProblem(await create({ body_html }), 400, 'validation_failed', 'body_html');
  });
});

describe('rendering', () => {
  it('fills every name for a conversation, values as people read them', async () => {
    const { conversation_id } = await conversationWith();
    const { sale_id } = sale;
    const { email } = await ok(api.get(`agents/${workspace.agentId}`));
    const lines = [
      'contact.name: Grace Hopper',
      `contact.email: ${contact.email}`,
      'contact.custom_fields.contract_end: 2027-03-31',
      'contact.custom_fields.size: 12.5',
      'contact.custom_fields.is_partner: yes',
      'contact.custom_fields.colour: blue &amp; white',
      'company.name: Navy',
      'agent.name: Ada Byron',
      `agent.email: ${email}`,
      'organization.name: Acme',
      `sale.total_price: ${sale.quote_details.output.total_price}`,
      'sale.currency: EUR',
    ];
    expect(await rendered({ body_html: WITH_EVERY_NAME }, { conversation_id, sale_id })).toEqual({
      subject: 'Your renewal, Grace Hopper',
      body_html: lines.map((line) => `<p>${line}</p>`).join(''),
      missing: [],
    });
  });

  it('fills the same for a contact', async () => {
    const { contact_id } = contact;
    const { subject, missing } = await rendered({ body_html: '{{company.name}}' }, { contact_id });
    expect([subject, missing]).toEqual(['Your renewal, Grace Hopper', []]);
  });

  it('leaves empty what has no value, and lists it once, in order', async () => {
    const fields = {
      subject: 'For {{company.name}}',
      body_html:
        '<p>{{sale.currency}}</p><p>{{contact.custom_fields.nothing}}</p><p>{{sale.currency}}</p><p>{{company.name}}</p>',
    };
    const missing = ['company.name', 'sale.currency', 'contact.custom_fields.nothing'];
    const { contact_id } = await ok(api.post('contacts', { name: 'Alan' }));
    const body_html = '<p></p>'.repeat(4);
    const expected = { subject: 'For', body_html, missing };
    expect(await rendered(fields, { contact_id })).toEqual(expected);
    expect(await rendered(fields, {})).toEqual(expected);
    expect(await rendered(fields)).toEqual(expected);
  });

  it('has the agent of the key, else the owner of the conversation', async () => {
    const { conversation_id } = await conversationWith();
    const { agent_id } = await ok(workspace.adminApi.post('agents', { name: 'Alan Turing' }));
    await ok(api.patch(`conversations/${conversation_id}`, { agent_id }));
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId));
    const one = await made({ body_html: '{{agent.name}}' });
    const unbound = apiOf(workspace.organizationId, api_key);
    const by = async (key: Client) => (await ok(render(one, { conversation_id }, key))).body_html;
    expect([await by(api), await by(unbound)]).toEqual(['Ada Byron', 'Alan Turing']);
  });

  it.each([
    ['conversation_id', { conversation_id: `conv_${NOBODY}` }],
    ['conversation_id', { conversation_id: 'x' }],
    ['contact_id', { contact_id: `contact_${NOBODY}` }],
    ['contact_id', { contact_id: `contact_${NOBODY}`, conversation_id: `conv_${NOBODY}` }],
    ['sale_id', { sale_id: `sale_${NOBODY}` }],
    ['contact_id', { contact_id: 1 }],
    ['name', { name: 'x' }],
  ])('is refused for its %s: %j', async (field, body) =>
    expectProblem(await render(await made(), body), 400, 'validation_failed', field),
  );

  it('finds no record of another organization', async () => {
    const other = await newWorkspace();
    const { contact_id } = await ok(other.api.post('contacts', { name: 'Eve' }));
    const { company_id } = await ok(other.api.post('companies', { name: 'Eve' }));
    const { sale_id } = await quotedSale(other, company_id);
    const { conversation_id } = await receivedMail(other);
    for (const body of [{ contact_id }, { sale_id }, { conversation_id }])
      expectProblem(await render(await made(), body), 400, 'validation_failed', ...Object.keys(body));
  });

  it('is a read: keys that may only read can ask, and nothing is kept of it', async () => {
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
    const reader = apiOf(workspace.organizationId, api_key);
    const one = await made();
    const count = () =>
      inDatabase(async (database) => {
        const { rows } = await database.query('SELECT count(*) FROM es_event WHERE organization_id = $1', [
          workspace.organizationId,
        ]);
        return rows[0];
      });
    const before = await count();
    const answer = await render(one, { contact_id: contact.contact_id }, reader);
    expect([answer.status, answer.body.subject]).toEqual([200, 'Your renewal, Grace Hopper']);
    expect(await count()).toEqual(before);
    expectProblem(await reader.post('templates', template()), 403, 'read_only_key');
    expectProblem(await reader.patch(pathOf(one), {}), 403, 'read_only_key');
    expectProblem(await reader.delete(pathOf(one)), 403, 'read_only_key');
  });

  it('shows a value as text, whatever it holds, and never reads it as a template', async () => {
    const name = `<b>"Grace"</b> & 'Co' {{company.name}}`;
    const { contact_id } = await ok(api.post('contacts', { name }));
    expect(await rendered({ body_html: '<p>{{contact.name}}</p>' }, { contact_id })).toEqual({
      subject: `Your renewal, ${name}`,
      body_html: '<p>&lt;b&gt;&quot;Grace&quot;&lt;/b&gt; &amp; &#39;Co&#39; {{company.name}}</p>',
      missing: [],
    });
  });

  it('refuses what becomes too long with its values', async () => {
    const { contact_id } = await ok(api.post('contacts', { name: '<'.repeat(1_000) }));
    const answer = await render(await made({ subject: null, body_html: '{{contact.name}}'.repeat(300) }), {
      contact_id,
    });
    expectProblem(answer, 400, 'validation_failed', 'body_html');
    const long = await made({ subject: '{{contact.name}}{{contact.name}}' });
    expectProblem(await render(long, { contact_id }), 400, 'validation_failed', 'subject');
  });
});

describe('a reply', () => {
  const save = (to: Json, body: object) => api.post(draftsOf(to), body);
  const shown = async (draft: Json): Promise<Json> => ok(api.get(`${draftsOf(draft)}/${draft.response_id}`));

  it('is filled for the contact when it is saved, and stays so', async () => {
    const one = await made({ body_html: '<p>{{contact.name}}: {{sale.total_price}}</p>' });
    const { template_id } = one;
    const { sale_id } = sale;
    const draft = await ok(save(await conversationWith(), { template_id, sale_id }));
    await ok(api.patch(pathOf(one), { body_html: 'Other' }));
    const price = sale.quote_details.output.total_price;
    expect((await shown(draft)).body_html).toBe(`<p>Grace Hopper: ${price}</p>`);
  });

  it('keeps the subject of its thread, and does not ask for values of the template’s', async () => {
    const { template_id } = await made({ subject: '{{sale.currency}}' });
    const question = await conversationWith({ subject: 'Blue' });
    const draft = await ok(save(question, autosend({ body_html: undefined, template_id })));
    const message = await promotedMessage(workspace, draft);
    expect([message.subject, message.content]).toEqual(['Re: Blue', 'Dear Grace Hopper']);
  });

  it('is refused where a value is missing, naming it, and keeps the draft that was there', async () => {
    const { template_id } = await made({
      body_html: '{{sale.total_price}} {{contact.name}} {{sale.currency}}',
    });
    const question = await conversationWith();
    const before = await ok(save(question, { body_html: 'Before' }));
    const answer = await save(question, { template_id });
    expectProblem(answer, 400, 'template_incomplete', 'template_id');
    expect(answer.body.detail).toMatch(/sale\.total_price, sale\.currency/);
    expect((await shown(before)).body_html).toBe('Before');
  });

  it.each([
    ['template_id', { template_id: `template_${NOBODY}` }],
    ['template_id', { template_id: 'x' }],
    ['sale_id', { body_html: 'x', sale_id: `sale_${NOBODY}` }],
    ['body_html', {}],
    ['body_html', { template_id: null }],
  ])('is refused for its %s: %j', async (field, body) =>
    expectProblem(await save(await conversationWith(), body), 400, 'validation_failed', field),
  );

  it('takes a template or a body, of the channel by which it leaves', async () => {
    const question = await conversationWith();
    const { template_id } = await made();
    expectProblem(
      await save(question, { template_id, body_html: 'x' }),
      400,
      'validation_failed',
      'template_id',
    );
    const text = await made({ modality: 'text', subject: undefined });
    expectProblem(
      await save(question, { template_id: text.template_id }),
      400,
      'validation_failed',
      'template_id',
    );
    expectProblem(
      await save(question, { template_id, sale_id: `sale_${NOBODY}` }),
      400,
      'validation_failed',
      'sale_id',
    );
  });

  it('by text takes a template of a text', async () => {
    const question = await conversationWith({
      modality: 'text',
      subject: undefined,
      email_metadata: undefined,
    });
    const { template_id } = await made({
      modality: 'text',
      subject: undefined,
      body_html: 'Dear {{contact.name}},\nyes & no.',
    });
    const draft = await ok(save(question, { template_id }));
    expect((await shown(draft)).body_html).toBe('Dear Grace Hopper,\nyes & no.');
  });
});

describe('a first message', () => {
  const first = (fields: object) =>
    api.post('message-drafts', firstMessage({ body_html: undefined, subject: undefined, ...fields }));

  it('is filled for the contact who has its address, with the subject of the template', async () => {
    const { template_id } = await made({ body_html: '<p>{{contact.name}} of {{company.name}}</p>' });
    const draft = await ok(
      first({ template_id, to_email: contact.email.toUpperCase(), to_user_name: 'Somebody' }),
    );
    const { message } = await openedBy(workspace, draft);
    expect([message.subject, message.body_html]).toEqual([
      'Your renewal, Grace Hopper',
      '<p>Grace Hopper of Navy</p>',
    ]);
  });

  it('is filled as it says itself, for whom nobody knows', async () => {
    const { template_id } = await made({ body_html: '<p>{{contact.name}}, {{contact.email}}</p>' });
    const to_email = `${unique('alan')}@navy.example`;
    const draft = await ok(first({ template_id, to_email, to_user_name: 'Alan', autosend_draft: false }));
    expect(await ok(api.get(`message-drafts/${draft.draft_id}`))).toMatchObject({
      subject: 'Your renewal, Alan',
      body_html: `<p>Alan, ${to_email}</p>`,
    });
  });

  it('keeps a subject of its own', async () => {
    const { template_id } = await made({ subject: '{{sale.currency}}' });
    const draft = await ok(
      first({ template_id, subject: 'Mine', to_email: contact.email, autosend_draft: false }),
    );
    expect((await ok(api.get(`message-drafts/${draft.draft_id}`))).subject).toBe('Mine');
  });

  it('by text is filled for the contact who has its number', async () => {
    const { template_id } = await made({ modality: 'text', subject: null, body_html: '{{contact.name}}' });
    const draft = await ok(
      first({
        template_id,
        modality: 'text',
        to_email: undefined,
        to_user_name: undefined,
        to_phone_number: '(212) 555-0101',
        autosend_draft: false,
      }),
    );
    expect((await ok(api.get(`message-drafts/${draft.draft_id}`))).body_html).toBe('Grace Hopper');
  });

  it('is refused where a value is missing, where there is a body, too, and for another channel', async () => {
    const { template_id } = await made({ body_html: '{{company.name}}' });
    const to_email = `${unique('alan')}@navy.example`;
    const incomplete = await first({ template_id, to_email });
    expectProblem(incomplete, 400, 'template_incomplete', 'template_id');
    expect(incomplete.body.detail).toContain('company.name');
    const both = await first({ template_id, body_html: 'x' });
    expectProblem(both, 400, 'validation_failed', 'template_id');
    const text = await first({ template_id, modality: 'text' });
    expectProblem(text, 400, 'validation_failed', 'template_id');
    const alone = await first({ subject: 'x', sale_id: sale.sale_id });
    expectProblem(alone, 400, 'validation_failed', 'sale_id');
  });

  it('has no header that a value has brought in', async () => {
    const { template_id } = await made({ subject: 'For {{contact.name}}' });
    const to_email = `${unique('eve')}@navy.example`;
    const name = 'Eve\r\nBcc: boss@navy.example\r\n\r\n<p>x</p>\u2028X-Evil: 1';
    await ok(api.post('contacts', { name, email: to_email }));
    const before = smtp.mails.length;
    await openedBy(workspace, await ok(first({ template_id, to_email })));
    const [mail] = (await smtp.waitFor(before + 1)).slice(before);
    const [head] = mail!.raw.split('\r\n\r\n');
    expect(head).not.toMatch(/^(bcc|x-evil):/im);
    expect(mail!.to).toEqual([to_email]);
    expect(mail!.parsed.subject).toBe('For Eve Bcc: boss@navy.example <p>x</p> X-Evil: 1');
  });
});

/** What would run if a value were more than text, wherever it stands. */
const HOSTILE_VALUES = [
  ...HOSTILE_HTML.filter((html) => html.length <= 1_000),
  'javascript:top.ran.push(1)',
  ' java\nscript:top.ran.push(1)',
  '&#106;avascript:top.ran.push(1)',
  'data:text/html,<script>top.ran.push(1)</script>',
  `" onfocus="top.ran.push(1)" autofocus tabindex="1`,
  `' onfocus='top.ran.push(1)' autofocus tabindex='1`,
  '"><img src=x onerror=top.ran.push`1`>',
  'x;background:url(javascript:top.ran.push(1))',
  'expression(top.ran.push(1))',
];

needs(CHROMIUM, hasChromium).it(
  'a value runs nothing in a browser, be it in text, in an attribute, in a link, a picture or a style',
  async () => {
    const one = await made({
      subject: null,
      body_html: [
        '<p>{{contact.name}}</p>',
        '<p title="{{contact.name}}">x</p>',
        '<a href="{{contact.name}}">x</a>',
        '<a href="https://acme.example/?{{contact.name}}">x</a>',
        '<img src="{{contact.name}}" alt="{{contact.name}}">',
        '<p style="color: {{contact.name}}">x</p>',
      ].join(''),
    });
    const shown: string[] = [];
    for (const name of HOSTILE_VALUES) {
      const { contact_id } = await ok(api.post('contacts', { name: name.replaceAll('\0', '') }));
      shown.push((await ok(render(one, { contact_id }))).body_html);
    }
    const browser = await launchChromium();
    try {
      const page = await newPage(browser);
      await page.route('**/*', (route) => route.fulfill({ status: 404, body: '' }));
      const sections = shown.map((html) => `<section>${html}</section>`).join('');
      await page.setContent(`<!DOCTYPE html><script>window.ran = [];</script><main>${sections}</main>`, {
        waitUntil: 'domcontentloaded',
      });
      await page.waitForTimeout(1_000);
      expect(await page.evaluate('window.ran.length')).toBe(0);
      expect(await page.locator('main > section').count()).toBe(HOSTILE_VALUES.length);
      const found = await page.evaluate(() => {
        const active = 'script, iframe, object, embed, svg, math, form, input, button, base, meta';
        const all = [...document.querySelectorAll('main *')];
        return all
          .filter(
            (one) =>
              one.matches(active) ||
              [...one.attributes].some(({ name }) => name.startsWith('on')) ||
              (one instanceof HTMLAnchorElement && /^(javascript|data|vbscript):/.test(one.protocol)),
          )
          .map(({ outerHTML }) => outerHTML);
      });
      expect(found).toEqual([]);
    } finally {
      await browser.close();
    }
  },
  120_000,
);
