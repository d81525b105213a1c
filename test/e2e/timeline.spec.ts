import { emailChannel, type Json, newWorkspace, ok } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { textChannel } from '../support/clients/doors.js';
import { draftsOf } from '../support/data/mail.js';
import { received } from '../support/data/records.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';

let own: SalesWorkspace;

beforeAll(async () => {
  own = await salesWorkspace();
  await emailChannel(own, 9);
});

/** All pages. */
async function all(path: string, limit = 3): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor: string | undefined; ;) {
    const { data, pagination } = await ok(own.api.get(path, { limit, cursor }));
    rows.push(...data);
    if (!pagination.has_more) return rows;
    cursor = pagination.next_cursor;
  }
}

describe('the timeline of a contact', () => {
  it('has messages, drafts, sales, stages, tasks and changes, the latest first', async () => {
    const { api } = own;
    const { contact_id, email } = await ok(api.post('contacts', { name: 'Ada', email: 'ada@time.example' }));
    const contact = { contact_id };
    const first = await ok(received(api, { contact, content: 'First', sent_at: '2026-01-01T00:00:00Z' }));
    const { conversation_id } = first;
    const reply = await ok(received(api, { conversation_id, message_direction: 'sent', content: 'Reply' }));
    const other = await ok(received(api, { contact: { email: 'host@time.example' }, content: 'Party' }));
    const guest = await ok(
      received(api, { conversation_id: other.conversation_id, from: { email }, content: 'Me too' }),
    );
    const { response_id } = await ok(
      api.post(draftsOf({ conversation_id }), { body_html: 'Yes', add_notification: false }),
    );
    const { draft_id } = await ok(
      api.post('message-drafts', {
        modality: 'email',
        subject: 'Hi',
        to_email: email,
        add_notification: false,
      }),
    );
    const sale = await own.open({ name: 'Renewal', associated_contacts: [contact] });
    await own.patch(sale, { status_id: own.stages[1]!.status_id });
    const { task_id } = await ok(api.post('tasks', { title: 'Call', contact_id }));
    await ok(api.patch(`contacts/${contact_id}`, { name: 'Ada L.' }));
    const entries = await all(`contacts/${contact_id}/timeline`);
    expect(entries.map(({ occurred_at }) => occurred_at)).toEqual(
      entries
        .map(({ occurred_at }) => occurred_at as string)
        .sort()
        .reverse(),
    );
    const known = entries.map(({ type, id }) => [type, id]);
    expect(known.slice(0, -1)).toEqual([
      ['change', expect.stringMatching(/^audit_/)],
      ['task', task_id],
      ['stage', sale.sale_id],
      ['sale', sale.sale_id],
      ['draft', draft_id],
      ['draft', response_id],
      ['message', guest.message_id],
      ['message', other.message_id],
      ['message', reply.message_id],
      ['change', expect.stringMatching(/^audit_/)],
    ]);
    expect(known.at(-1)).toEqual(['message', first.message_id]);
    expect(entries[0]).toMatchObject({
      action_type: 'update',
      changes: [{ field: 'name', from: 'Ada', to: 'Ada L.' }],
    });
    expect(entries[2]).toMatchObject({ label: own.stages[1]!.label });
    expect(entries.at(-1)).toMatchObject({ preview: 'First', direction: 'received', conversation_id });
    expect(await all(`contacts/${contact_id}/timeline`, 200)).toEqual(entries);
  });

  it('has first messages to its address or number however that is spelt, and to those of contacts merged in', async () => {
    const workspace = await newWorkspace({ organization: { default_region: 'US' } });
    await emailChannel(workspace, 9);
    await textChannel(workspace);
    const { api } = workspace;
    const make = async (body: Json) => (await ok(api.post('contacts', body))).contact_id as string;
    const contact = await make({ email: 'Bo@BÜCHER.example', phone_number: '(212) 555-0143' });
    const merged = await make({ email: 'bo@other.example', phone_number: '+1 212 555 0144' });
    const draftTo = async (to: Json) => {
      const modality = to['to_email'] ? 'email' : 'text';
      const body = { modality, subject: 'Hi', add_notification: false, ...to };
      return (await ok(api.post('message-drafts', body))).draft_id as string;
    };
    const toContact = [
      await draftTo({ to_email: 'bo@xn--bcher-kva.example' }),
      await draftTo({ to_email: 'BO@bücher.example' }),
      await draftTo({ to_phone_number: '+12125550143' }),
      await draftTo({ to_phone_number: '212.555.0143' }),
    ];
    const toMerged = [
      await draftTo({ to_email: 'BO@OTHER.EXAMPLE' }),
      await draftTo({ to_phone_number: '(212) 555-0144' }),
    ];
    await draftTo({ to_email: 'bo@bucher.example' });
    await draftTo({ to_phone_number: '+1 212 555 0145' });
    const draftsIn = async () =>
      (await ok(api.get(`contacts/${contact}/timeline`, { limit: 200 }))).data
        .filter(({ type }: Json) => type === 'draft')
        .map(({ id }: Json) => id);
    expect(await draftsIn()).toEqual([...toContact].reverse());
    await ok(api.post(`contacts/${contact}/merge`, { from_contact_id: merged }));
    expect(await draftsIn()).toEqual([...toContact, ...toMerged].reverse());
  });

  it('is 404 for a contact that is not there, and a cursor of another contact is refused', async () => {
    expect((await own.api.get('contacts/contact_x/timeline')).status).toBe(404);
    const [one, other] = own.contactIds;
    await ok(own.api.patch(`contacts/${one}`, { company_role: 'Boss' }));
    const { pagination } = await ok(own.api.get(`contacts/${one}/timeline`, { limit: 1 }));
    const foreign = await own.api.get(`contacts/${other}/timeline`, { cursor: pagination.next_cursor });
    expectProblem(foreign, 400, 'validation_failed', 'cursor');
  });
});

describe('duplicates', () => {
  it('are pairs that have an address, a number, or name and company in common, each pair once', async () => {
    const { api } = own;
    const { company_id } = await ok(api.post('companies', { name: 'Twins' }));
    const make = async (body: Json) => (await ok(api.post('contacts', body))).contact_id as string;
    const a = await make({ name: 'Zoë', email: 'zoe@twins.example', company_id });
    const b = await make({
      name: 'Zoe',
      email: 'ZOE@twins.example',
      phone_number: '+1 212 555 7777',
      company_id,
    });
    const c = await make({ name: 'Other', phone_number: '(212) 555-7777' });
    const d = await make({ name: 'zoe', company_id });
    const e = await make({ name: 'zoe', email: 'zoe@twins.example' });
    await make({ name: 'zoe' });
    const pairs = (await all('contacts/duplicates', 1)).map(({ reason, contact_ids }) => [
      reason,
      ...contact_ids,
    ]);
    expect(pairs).toEqual([
      ['email', a, b],
      ['email', b, e],
      ['phone', b, c],
      ['name_and_company', b, d],
    ]);
    const { data } = await ok(api.get('contacts/duplicates'));
    expect(data[0].contacts).toEqual([
      await ok(api.get(`contacts/${a}`)),
      await ok(api.get(`contacts/${b}`)),
    ]);
    await ok(api.post(`contacts/${a}/merge`, { from_contact_id: b }));
    expect((await all('contacts/duplicates')).map(({ contact_ids }) => contact_ids)).toEqual([
      [a, e],
      [a, c],
      [a, d],
    ]);
  });
});
