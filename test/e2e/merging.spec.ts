import { emailChannel, type Json, ok } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { readFeed } from '../support/clients/feed.js';
import { draftsOf } from '../support/data/mail.js';
import { received } from '../support/data/records.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { until } from '../support/until.js';

let own: SalesWorkspace;
let last = 0;

beforeAll(async () => {
  own = await salesWorkspace();
  await emailChannel(own, 9);
  await ok(own.adminApi.post('custom-fields/contacts', { label: 'Plan', type: 'string' }));
});

const contact = (body: Json = {}) =>
  ok(own.api.post('contacts', { name: 'Ada', email: `ada${++last}@merge.example`, ...body }));
const company = (body: Json = {}) => ok(own.api.post('companies', { name: 'Engines', ...body }));
const merge = (path: string, id: string, field: string, from: string) =>
  own.api.post(`${path}/${id}/merge`, { [field]: from });
const mergeContacts = (into: Json, from: Json) =>
  merge('contacts', into['contact_id'], 'from_contact_id', from['contact_id']);
const eventsOf = async (id: string): Promise<Json[]> =>
  (await readFeed(own.api, { record_id: id, limit: 200 })).data;

const gone = async (path: string, id: string, into: string) => {
  const answer = await own.api.get(`${path}/${id}`);
  expectProblem(answer, 404, 'merged');
  expect(answer.body.hint.route).toMatch(new RegExp(`/${path}/${into}$`));
};

describe('contacts', () => {
  it('become one: it has what it lacked, and leads are followed to it', async () => {
    const { company_id } = await company();
    const one = await contact({ name: 'Ada', external_id: `one-${++last}`, metadata: { a: '1' } });
    const other = await contact({
      name: 'Ada Lovelace',
      phone_number: `+1 212 555 ${1000 + ++last}`,
      company_id,
      company_role: 'Countess',
      external_id: `other-${++last}`,
      metadata: { a: '2', b: '3' },
      custom_fields: { plan: 'gold' },
    });
    const answer = await mergeContacts(one, other);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...one,
      phone_number: other.phone_number,
      company_id,
      company_role: 'Countess',
      custom_fields: { plan: 'gold' },
      metadata: { a: '1', b: '3' },
      other_emails: [other.email],
      updated_at: answer.body.updated_at,
    });
    expect(await ok(own.api.get(`contacts/${one.contact_id}`))).toEqual(answer.body);
    await gone('contacts', other.contact_id, one.contact_id);
    expectProblem(await own.api.patch(`contacts/${other.contact_id}`, { name: 'x' }), 404, 'merged');
    expectProblem(await own.api.delete(`contacts/${other.contact_id}`), 404, 'merged');
    expectProblem(await own.api.get(`contacts/${other.contact_id}/conversations`), 404, 'merged');
    expectProblem(await mergeContacts(other, one), 404, 'merged');
    expectProblem(await mergeContacts(other, await contact()), 404, 'merged');
    for (const external_id of [one.external_id, other.external_id])
      expect((await ok(own.api.get('contacts', { external_id }))).data).toEqual([answer.body]);
    const put = await own.api.put(`contacts/by-external-id/${other.external_id}`, { name: 'Ada K.' });
    expect([put.status, put.body.contact_id]).toEqual([200, one.contact_id]);
    expectProblem(
      await own.api.post('contacts', { name: 'x', external_id: other.external_id }),
      409,
      'external_id_taken',
    );
    for (const { contact_id } of [one, other])
      expect((await eventsOf(contact_id)).filter(({ type }) => type === 'ContactMerged')).toHaveLength(1);
  });

  it('take over conversations, sales and tasks, and who wrote in others', async () => {
    const [one, other, third] = [await contact(), await contact(), await contact()];
    const { conversation_id } = await ok(received(own.api, { contact: { contact_id: other.contact_id } }));
    const guest = await ok(received(own.api, { contact: { contact_id: third.contact_id } }));
    await ok(received(own.api, { conversation_id: guest.conversation_id, from: { email: other.email } }));
    const sale = await own.open({
      associated_contacts: [
        { contact_id: third.contact_id },
        { contact_id: other.contact_id, is_primary: true },
      ],
    });
    const both = await own.open({
      associated_contacts: [
        { contact_id: one.contact_id },
        { contact_id: other.contact_id, is_primary: true },
      ],
    });
    const task = await ok(own.api.post('tasks', { title: 'Call', contact_id: other.contact_id }));
    await ok(mergeContacts(one, other));
    const talk = await ok(own.api.get(`conversations/${conversation_id}`));
    expect(talk).toMatchObject({ contact_id: one.contact_id, participants: [one.contact_id] });
    expect(await ok(own.api.get(`conversations/${guest.conversation_id}`))).toMatchObject({
      contact_id: third.contact_id,
      participants: [third.contact_id, one.contact_id].sort(),
    });
    const { data } = await ok(own.api.get(`conversations/${conversation_id}/messages`));
    expect(data.map(({ from }: Json) => from.contact_id)).toEqual([one.contact_id]);
    const { data: talks } = await ok(own.api.get(`contacts/${one.contact_id}/conversations`));
    expect(talks.map((row: Json) => row.conversation_id).sort()).toEqual(
      [conversation_id, guest.conversation_id].sort(),
    );
    expect((await own.show(sale)).associated_contacts).toEqual([
      { contact_id: third.contact_id, is_primary: false },
      { contact_id: one.contact_id, is_primary: true },
    ]);
    expect((await own.show(both)).associated_contacts).toEqual([
      { contact_id: one.contact_id, is_primary: true },
    ]);
    expect((await ok(own.api.get(`tasks/${task.task_id}`))).contact_id).toBe(one.contact_id);
    const found = async () =>
      (await ok(own.api.get('search', { q: 'hello', contact_id: one.contact_id, types: 'message' }))).data
        .length;
    await until(async () => (await found()) === 2);
  });

  it('go on matching what comes from the addresses and numbers of both', async () => {
    const phone_number = `+1 212 555 ${3000 + ++last}`;
    const [one, other] = [await contact(), await contact({ phone_number })];
    await ok(mergeContacts(one, other));
    for (const body of [
      { contact: { email: one.email } },
      { contact: { email: other.email.toUpperCase() } },
      { contact: { phone_number }, modality: 'text' },
    ]) {
      const { conversation_id } = await ok(received(own.api, body));
      expect((await ok(own.api.get(`conversations/${conversation_id}`))).contact_id).toBe(one.contact_id);
    }
    // Also once it has another address itself.
    await ok(own.api.patch(`contacts/${one.contact_id}`, { email: `new${++last}@merge.example` }));
    const { conversation_id } = await ok(received(own.api, { contact: { email: other.email } }));
    expect((await ok(own.api.get(`conversations/${conversation_id}`))).contact_id).toBe(one.contact_id);
  });

  it('show the addresses and numbers of all that are part of them, but for their own', async () => {
    const numbered = () => contact({ phone_number: `+1 (212) 555-${4000 + ++last}` });
    const bare = await ok(own.api.post('contacts', { name: 'Ada' }));
    expect(bare).toMatchObject({ other_emails: [], other_phone_numbers: [] });
    const [one, first, second, third] = [bare, await numbered(), await numbered(), await numbered()];
    await ok(mergeContacts(one, first));
    await ok(mergeContacts(second, third));
    const merged = await ok(mergeContacts(one, second));
    const others = {
      other_emails: [third.email, second.email],
      other_phone_numbers: [third.phone_number, second.phone_number],
    };
    expect(merged).toMatchObject({ email: first.email, phone_number: first.phone_number, ...others });
    expect((await ok(own.api.get('contacts', { email: one.email || first.email }))).data).toEqual([merged]);
    const changed = await ok(
      own.api.patch(`contacts/${one.contact_id}`, { email: third.email.toUpperCase(), phone_number: null }),
    );
    expect(changed).toMatchObject({
      other_emails: [first.email, second.email],
      other_phone_numbers: [first.phone_number, ...others.other_phone_numbers],
    });
  });

  it('are found by the addresses and numbers of those that are part of them', async () => {
    const nr = ++last;
    const [one, other] = [
      await contact(),
      await contact({ email: `Bertha.${nr}@Old.example`, phone_number: `(212) 555-${5000 + nr}` }),
    ];
    await ok(own.api.patch(`contacts/${one.contact_id}`, { phone_number: `+1 212 555 ${6000 + nr}` }));
    const merged = await ok(mergeContacts(one, other));
    expect(merged).toMatchObject({ other_emails: [other.email], other_phone_numbers: [other.phone_number] });
    const filters: Json[] = [{ email: other.email.toUpperCase() }, { phone_number: `+1212555${5000 + nr}` }];
    for (const filter of [...filters, { ...filters[0], sort: 'name' }, { ...filters[0], ...filters[1] }])
      expect((await ok(own.api.get('contacts', filter))).data).toEqual([merged]);
    for (const q of [other.email, `bertha.${nr}`, `212555${5000 + nr}`, `+1 212-555-${5000 + nr}`])
      await until(async () => {
        const { data } = await ok(own.api.get('search', { q, types: 'contact' }));
        return data.length === 1 && data[0].id === one.contact_id;
      });
    const { data } = await ok(own.api.get('search', { q: other.email, types: 'contact' }));
    expect(data[0].highlights).toEqual([{ field: 'other_emails', text: `\ue000${other.email}\ue001` }]);
  });

  it('are listed as duplicates of one that is made anew with what a part of them had', async () => {
    const phone_number = `+1 212 555 ${7000 + ++last}`;
    const [one, other] = [await contact(), await contact({ phone_number })];
    await ok(own.api.patch(`contacts/${one.contact_id}`, { phone_number: `+1 212 555 ${8000 + last}` }));
    await ok(mergeContacts(one, other));
    const byEmail = await ok(own.api.post('contacts', { email: other.email.toUpperCase() }));
    const byBoth = await contact({ email: other.email, phone_number });
    const byNumber = await contact({ phone_number });
    const pairs: Json[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await ok(own.api.get('contacts/duplicates', { limit: 1, cursor }));
      pairs.push(...page.data);
      cursor = page.pagination.next_cursor ?? undefined;
      if (cursor === undefined) break;
    }
    const own_ids = [one, byEmail, byBoth, byNumber].map(({ contact_id }) => contact_id);
    const found = pairs
      .filter(({ contact_ids }) => own_ids.includes(contact_ids[0]))
      .map(({ reason, contact_ids }) => [reason, ...contact_ids]);
    expect(found).toEqual([
      ['email', one.contact_id, byEmail.contact_id],
      ['email', byEmail.contact_id, byBoth.contact_id],
      ['phone', byBoth.contact_id, byNumber.contact_id],
    ]);
  });

  it('may be merged one after the other, each leading to the one that is left', async () => {
    const [a, b, c] = [await contact(), await contact(), await contact()];
    await ok(mergeContacts(b, a));
    await ok(mergeContacts(c, b));
    await gone('contacts', a.contact_id, c.contact_id);
    await gone('contacts', b.contact_id, c.contact_id);
    const { conversation_id } = await ok(received(own.api, { contact: { email: a.email } }));
    expect((await ok(own.api.get(`conversations/${conversation_id}`))).contact_id).toBe(c.contact_id);
  });

  it('are refused: itself, one that is not there, and a stale version', async () => {
    const [one, other] = [await contact(), await contact()];
    expectProblem(await mergeContacts(one, one), 400, 'validation_failed', 'from_contact_id');
    expectProblem(
      await mergeContacts(one, { contact_id: 'contact_x' }),
      400,
      'validation_failed',
      'from_contact_id',
    );
    expectProblem(
      await own.api.post(`contacts/${one.contact_id}/merge`, {}),
      400,
      'validation_failed',
      'from_contact_id',
    );
    expect((await mergeContacts({ contact_id: 'contact_x' }, one)).status).toBe(404);
    const stale = await own.api
      .with({ 'if-match': '"7"' })
      .post(`contacts/${one.contact_id}/merge`, { from_contact_id: other.contact_id });
    expectProblem(stale, 412, 'version_mismatch');
    expect(await ok(own.api.get(`contacts/${other.contact_id}`))).toEqual(other);
  });

  it('are as if none had been there once the one that stayed is deleted', async () => {
    const [one, other] = [await contact(), await contact()];
    await ok(mergeContacts(one, other));
    await own.api.delete(`contacts/${one.contact_id}`);
    for (const { contact_id } of [one, other])
      expectProblem(await own.api.get(`contacts/${contact_id}`), 404, 'contact_not_found');
  });

  it('that bring nothing which is shown leave updated_at as it is', async () => {
    const [one, other] = [await contact({ name: 'Ada' }), await contact({ name: 'Ada', email: '' })];
    expect((await mergeContacts(one, other)).body).toEqual(one);
  });

  it('of two people who merge both ways at once, one wins and the other gets 409', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await contact(), await contact()];
      const [one, other] = await Promise.all([mergeContacts(a, b), mergeContacts(b, a)]);
      const statuses = [one.status, other.status].sort();
      expect(statuses).toEqual([200, 409]);
      const [kept, lost] = one.status === 200 ? [a, b] : [b, a];
      await gone('contacts', lost.contact_id, kept.contact_id);
      await ok(own.api.get(`contacts/${kept.contact_id}`));
    }
  });

  it('never lose a mail that comes while they are merged', async () => {
    for (let round = 0; round < 6; round++) {
      const [one, other] = [await contact(), await contact()];
      const [merged, ...said] = await Promise.all([
        mergeContacts(one, other),
        ...[other, one, other].map(({ email }) => received(own.api, { contact: { email } })),
      ]);
      await ok(merged);
      for (const answer of said) {
        const { conversation_id } = await ok(answer);
        expect((await ok(own.api.get(`conversations/${conversation_id}`))).contact_id).toBe(one.contact_id);
      }
    }
  });
});

it('moves what links to a record also where that is more than a transaction takes', async () => {
  const [one, other] = [await company(), await company()];
  const items = Array.from({ length: 200 }, (_, nr) => ({ name: `n${nr}`, company_id: other.company_id }));
  for (let nr = 0; nr < 11; nr++) await ok(own.api.post('contacts/batch', { items }));
  // Not a part of it where the merger is refused.
  const body = { from_company_id: other.company_id };
  const refused = { body, headers: { 'if-match': '"9"' } };
  expectProblem(
    await own.api.send('POST', `companies/${one.company_id}/merge`, refused),
    412,
    'version_mismatch',
  );
  expect((await ok(own.api.get('contacts', { company_id: one.company_id }))).data).toEqual([]);
  await ok(merge('companies', one.company_id, 'from_company_id', other.company_id));
  const { data } = await ok(own.api.get('contacts', { company_id: other.company_id }));
  expect(data).toEqual([]);
  const sale = await own.open({ company_id: one.company_id });
  expectProblem(await own.api.delete(`companies/${one.company_id}`), 409, 'sale_needs_a_party');
  expect((await ok(own.api.get('contacts', { company_id: one.company_id, limit: 200 }))).data).toHaveLength(
    200,
  );
  await ok(own.api.delete(`sales/${sale.sale_id}`));
  await ok(own.api.delete(`companies/${one.company_id}`));
  expect((await ok(own.api.get('contacts', { company_id: one.company_id }))).data).toEqual([]);
});

describe('companies', () => {
  it('become one, with the contacts, sales and tasks of both', async () => {
    const one = await company();
    const other = await company({ domain: 'engines.example', address: 'London', agent_id: own.agentId });
    const { contact_id } = await contact({ company_id: other.company_id });
    const sale = await own.open({ company_id: other.company_id });
    const task = await ok(own.api.post('tasks', { title: 'Call', company_id: other.company_id }));
    const merged = await ok(merge('companies', one.company_id, 'from_company_id', other.company_id));
    expect(merged).toMatchObject({ domain: 'engines.example', address: 'London', agent_id: own.agentId });
    await gone('companies', other.company_id, one.company_id);
    expect((await ok(own.api.get(`contacts/${contact_id}`))).company_id).toBe(one.company_id);
    expect((await own.show(sale)).company_id).toBe(one.company_id);
    expect((await ok(own.api.get(`tasks/${task.task_id}`))).company_id).toBe(one.company_id);
  });
});

describe('conversations', () => {
  const talk = async (text = 'Hello') => {
    const { contact_id } = await contact();
    const { conversation_id } = await ok(received(own.api, { contact: { contact_id }, content: text }));
    return { contact_id, conversation_id };
  };
  const mergeTalks = (into: Json, from: Json) =>
    merge('conversations', into['conversation_id'], 'from_conversation_id', from['conversation_id']);
  const reply = (to: { conversation_id: string }) =>
    ok(own.api.post(draftsOf(to), { body_html: 'Yes', add_notification: false }));

  it('become one, with the messages, sales and pending reply of both', async () => {
    const [one, other] = [await talk(), await talk()];
    const sale = await own.open({ conversation_ids: [other.conversation_id] });
    const { response_id } = await reply(other);
    const merged = await ok(mergeTalks(one, other));
    expect(merged).toMatchObject({
      contact_id: one.contact_id,
      message_count: 2,
      has_draft: true,
      participants: [one.contact_id, other.contact_id].sort(),
    });
    await gone('conversations', other.conversation_id, one.conversation_id);
    const { data } = await ok(own.api.get(`conversations/${one.conversation_id}/messages`));
    expect(data).toHaveLength(2);
    expect((await own.show(sale)).associated_conversation_ids).toEqual([one.conversation_id]);
    const draft = await ok(own.api.get(`${draftsOf(one)}/${response_id}`));
    expect(draft.conversation_id).toBe(one.conversation_id);
  });

  it('keep the folder and the owner of the one that stays, or take what it lacks', async () => {
    const [one, other, bare] = [await talk(), await talk(), await talk()];
    const { agent_id } = await ok(own.adminApi.post('agents', { name: 'Grace' }));
    const file = ({ conversation_id }: Json, folder: string, agent_id: string) =>
      ok(own.api.patch(`conversations/${conversation_id}`, { folder, agent_id }));
    await file(one, 'vip', own.agentId);
    await file(other, 'leads', agent_id);
    const kept = { folder: 'vip', agent_id: own.agentId };
    expect(await ok(mergeTalks(one, other))).toMatchObject(kept);
    expect(await ok(mergeTalks(bare, one))).toMatchObject(kept);
  });

  it('have their messages found by the contact of the one that stays, whoever wrote them', async () => {
    const [one, other] = [await talk('Sextant'), await talk('Sextant')];
    const found = async (contact_id: string) =>
      (await ok(own.api.get('search', { q: 'sextant', types: 'message', contact_id }))).data.length;
    await until(async () => (await found(one.contact_id)) + (await found(other.contact_id)) === 2);
    const kept = await contact();
    await ok(mergeContacts(kept, { contact_id: one.contact_id }));
    await until(async () => (await found(kept.contact_id)) === 1);
    await ok(mergeTalks(one, other));
    await until(async () => (await found(kept.contact_id)) === 2);
    expect(await found(other.contact_id)).toBe(1);
  });

  it('are refused where both have a pending reply, and themselves', async () => {
    const [one, other] = [await talk(), await talk()];
    await reply(one);
    await reply(other);
    expectProblem(await mergeTalks(one, other), 409, 'both_have_replies');
    expectProblem(await mergeTalks(one, one), 400, 'validation_failed', 'from_conversation_id');
    expect((await ok(own.api.get(`conversations/${other.conversation_id}`))).message_count).toBe(1);
  });

  it('of two people who merge both ways at once, one wins', async () => {
    const [a, b] = [await talk(), await talk()];
    const answers = await Promise.all([mergeTalks(a, b), mergeTalks(b, a)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [kept] = answers.filter(({ status }) => status === 200);
    expect(kept!.body.message_count).toBe(2);
  });
});
