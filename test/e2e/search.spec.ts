import {
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  type Query,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { draftsOf, mailWithFile, messagesOf, postMail, receivedMail } from '../support/data/mail.js';
import { received } from '../support/data/records.js';
import { salesWorkspace } from '../support/data/sales.js';
import { until } from '../support/until.js';

let own: Workspace;
let channel: Json;
beforeAll(async () => {
  own = await salesWorkspace();
  channel = await emailChannel(own, 9);
});

const find = async (q: string, query: Query = {}, { api }: Workspace = own): Promise<Json[]> =>
  (await ok(api.get('search', { q, ...query }))).data;
const idsOf = async (q: string, query: Query = {}): Promise<string[]> =>
  (await find(q, query)).map(({ id }) => id);
/** Waits until the record is found. */
async function found(q: string, id: string, query: Query = {}): Promise<Json> {
  let hit: Json;
  await until(async () => (hit = (await find(q, query)).find((one) => one.id === id)) !== undefined);
  return hit;
}
const marked = (text: string): string => text.replaceAll('\uE000', '[').replaceAll('\uE001', ']');
const highlights = (hit: Json): string[] =>
  hit.highlights.map(({ field, text }: Json) => `${field}: ${marked(text)}`);

describe('a contact', () => {
  let id: string;
  beforeAll(async () => {
    const body = {
      name: 'Zoë Ångström',
      email: 'zoe.angstrom@yard-works.example',
      phone_number: '+1 (212) 555-0187',
    };
    ({ contact_id: id } = await ok(own.api.post('contacts', body)));
    await found('zoe', id);
  });

  it.each([
    'Zoë',
    'ZOE ang*',
    '"zoe angstrom"',
    'zoe or nobody',
    'zoe -nobody',
    'angstrom@yard',
    'yard-works.example',
    'works.exam',
    'gstrom@ya',
    '<zoe.angstrom@yard-works.example>',
    '+12125550187',
    '(212) 555-0187',
    '555 0187',
    '5550187',
    '212.555.0187',
    '0187',
  ])('is found by %s', async (q) => expect(await idsOf(q)).toContain(id));

  it.each(['zoe -angstrom', 'zo', '"angstrom zoe"', 'zoe nobody', '5550188', 'yard-workz', 'zoe@yard'])(
    'is not found by %s',
    async (q) => expect(await idsOf(q)).not.toContain(id),
  );

  it('shows where it was found', async () => {
    const hit = await found('zoe works.example 5550187', id);
    expect(hit).toEqual({
      type: 'contact',
      id,
      conversation_id: null,
      title: 'Zoë Ångström',
      highlights: expect.any(Array),
      occurred_at: expect.any(String),
    });
    expect(highlights(hit)).toEqual([
      'name: [Zoë] Ångström',
      'email: [zoe].angstrom@yard-[works.example]',
      'phone_number: +1 (212) [555-0187]',
    ]);
  });

  it.each(['+12125550199', '2125550199', '555-0199', '+1 (212) 555 01'])(
    'without the country in its number is found by %s, where the organization has that country',
    async (q) => {
      const workspace = await newWorkspace({ organization: { default_region: 'US' } });
      const { contact_id } = await ok(workspace.api.post('contacts', { phone_number: '(212) 555-0199' }));
      await until(async () => (await find(q, {}, workspace)).some(({ id }) => id === contact_id));
    },
  );

  it('is found by its new name and no more by its old one', async () => {
    const { contact_id } = await ok(own.api.post('contacts', { name: 'Oldname' }));
    await found('oldname', contact_id);
    await ok(own.api.patch(`contacts/${contact_id}`, { name: 'Newname' }));
    await found('newname', contact_id);
    expect(await idsOf('oldname')).toEqual([]);
  });
});

describe('a name, in search and in the filter', () => {
  const NAMES = [
    ['Ħamrun Ŧest Ŋai', 'hamrun test nai'],
    ['Øresund Łódź Đorđe Işık', 'oresund lodz dorde isik'],
    ['Straßen Ægir Œuvre Þór', 'strassen aegir oeuvre thor'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['Πηνελόπη ὠδή', 'πηνελοπη ωδη'],
    ['Алексей Ёлкин', 'алексеи елкин'],
    ['مُحَمَّد آدم', 'محمد أدم'],
    ['إيمان ٱلقلب', 'ايمان القلب'],
    ['ســـلام', 'سلام'],
    ['שָׁלוֹם', 'שלום'],
    ['ｶﾞｲﾄﾞﾌﾞｯｸ', 'ガイドブック'],
    ['か\u3099そりん', 'がそりん'],
    ['Ｐａｒｌｅｙ ﬁnal', 'parley final'],
  ];

  it.each(NAMES)('finds %s by %s, and the other way round', async (one, other) => {
    const [first, second] = [
      await ok(own.api.post('contacts', { name: one })),
      await ok(own.api.post('companies', { name: other })),
    ];
    for (const asked of [one, other]) {
      await found(asked, first['contact_id'], { types: 'contact' });
      await found(asked, second['company_id'], { types: 'company' });
      const beginning = asked.slice(0, -1).trimEnd();
      for (const name of [asked, asked.toUpperCase(), beginning]) {
        const contacts = (await ok(own.api.get('contacts', { name }))).data;
        expect(contacts.map(({ contact_id }: Json) => contact_id)).toContain(first['contact_id']);
        const companies = (await ok(own.api.get('companies', { name }))).data;
        expect(companies.map(({ company_id }: Json) => company_id)).toContain(second['company_id']);
      }
    }
  });
});

describe('records of each type', () => {
  it('are found by what they say', async () => {
    const { company_id } = await ok(
      own.api.post('companies', { name: 'Quux Werke', domain: 'quux-werke.example' }),
    );
    const { task_id } = await ok(own.api.post('tasks', { title: 'Call quux', notes: 'about the flange' }));
    const { data: stages } = await ok(own.api.get('sale-statuses'));
    const { sale_id } = await ok(own.api.post('sales', { status_id: stages[0].status_id, company_id }));
    const product = { product_name: 'Quux flange', quantity: 1, unit_price: '1' };
    await ok(own.api.put(`sales/${sale_id}/quote`, { currency: 'EUR', products: [product] }));
    const draft = {
      modality: 'email',
      subject: 'Quux',
      body_html: '<p>A <b>flange</b></p>',
      to_email: 'q@quux.example',
      add_notification: false,
    };
    const { draft_id } = await ok(own.api.post('message-drafts', draft));
    const message = await receivedMail(own, { subject: 'Quux order', content: 'One flange, please' });
    const reply = await ok(
      own.api.post(draftsOf(message), { body_html: 'The quux flange is here', add_notification: false }),
    );
    const expected: Record<string, string> = {
      task: task_id,
      sale: sale_id,
      draft: draft_id,
      message: message.message_id,
    };
    for (const [type, id] of Object.entries(expected)) {
      const hit = await found('quux flange', id);
      expect(hit.type).toBe(type);
      expect(await idsOf('quux flange', { types: type })).toContain(id);
      expect(await idsOf('quux flange', { types: 'company' })).toEqual([]);
    }
    await found('quux flange', reply.response_id);
    await found('quux-werke', company_id);
    expect((await found('quux', message.conversation_id)).type).toBe('conversation');
    await ok(own.api.delete(`message-drafts/${draft_id}`));
    expect(await idsOf('quux flange')).not.toContain(draft_id);
  });

  it('of a mail are found by people, files and what its writer added', async () => {
    const raw = mailWithFile(
      {
        subject: 'Wombat',
        body: 'The wombat list.\n\nOn Monday Ada wrote:\n> numbat',
        from: 'zed@wombat-farm.example',
      },
      [{ name: 'wombat-preise.pdf' }],
    );
    await postMail(channel, raw);
    await until(async () => (await find('wombat', { types: 'message' })).length === 1);
    const hit = (await find('wombat', { types: 'message' }))[0]!;
    expect(hit.title).toBe('Wombat');
    expect(await idsOf('wombat-preise.pdf')).toContain(hit.id);
    const { from } = (await messagesOf(own, hit))[0]!;
    expect(await idsOf('d@wombat-f')).toContain(hit.id);
    expect(await idsOf('wombat', { contact_id: from.contact_id })).toContain(hit.id);
    expect(await idsOf('wombat', { modality: 'email' })).toContain(hit.id);
    expect(await idsOf('wombat', { modality: 'call' })).toEqual([]);
    expect(await idsOf('numbat')).toEqual([]);
  });

  it('of a reply that is saved are found by the modality that it would leave by', async () => {
    const { conversation_id } = await receivedMail(own, { content: 'Stripes?' });
    const saved = { body_html: 'A zebra has them', add_notification: false };
    const { response_id } = await ok(own.api.post(draftsOf({ conversation_id }), saved));
    await found('zebra', response_id);
    const zebras = (modality: string) => idsOf('zebra', { types: 'draft', modality });
    expect(await zebras('email')).toEqual([response_id]);
    expect(await zebras('text')).toEqual([]);
    await ok(received(own.api, { conversation_id, modality: 'call', content: 'I called' }));
    expect(await zebras('text')).toEqual([response_id]);
    expect(await zebras('call')).toEqual([]);
    expect(await zebras('email')).toEqual([]);
  });

  it('of a first message are found by its modality', async () => {
    const draft = {
      modality: 'email',
      subject: 'Okapi',
      to_email: 'o@quux.example',
      add_notification: false,
    };
    const { draft_id } = await ok(own.api.post('message-drafts', draft));
    await found('okapi', draft_id);
    expect(await idsOf('okapi', { types: 'draft', modality: 'email' })).toEqual([draft_id]);
    expect(await idsOf('okapi', { modality: 'text' })).toEqual([]);
  });

  it.each([
    ['客户要求明天送货到北京', '送货', '北京', '货到'],
    ['東京タワーへ行きます', '東京', 'タワ', 'きま'],
    ['สวัสดีครับผมชื่อสมชาย', 'สวัสดี', 'ครับ', 'สมชาย'],
    ['보내 주세요 서울로', '서울로', '보내', '주세요'],
  ])('written as %s are found by pieces', async (content, ...pieces) => {
    const { message_id } = await receivedMail(own, { content, subject: null });
    for (const piece of pieces) {
      const hit = await found(piece, message_id);
      expect(highlights(hit).join()).toContain(`[${piece}]`);
    }
  });
});

describe('the order', () => {
  it('has what holds the words in its title first, and the newest first among equals, page by page', async () => {
    const workspace = await newWorkspace();
    const ids: string[] = [];
    for (const [subject, content, day] of [
      ['Pangolin', 'x', 1],
      ['x', 'pangolin', 2],
      ['About a pangolin', 'x', 3],
      ['x', 'the pangolin', 4],
    ] as const) {
      const sent_at = `2026-01-0${day}T00:00:00Z`;
      ids.push((await receivedMail(workspace, { subject, content, sent_at })).message_id);
    }
    const query = { types: 'message', limit: 1 };
    await until(async () => (await find('pangolin', { types: 'message' }, workspace)).length === 4);
    const seen: string[] = [];
    for (let cursor: string | undefined; ;) {
      const { data, pagination } = await ok(workspace.api.get('search', { q: 'pangolin', ...query, cursor }));
      seen.push(...data.map(({ id }: Json) => id));
      if (!pagination.has_more) break;
      cursor = pagination.next_cursor;
    }
    expect(seen).toEqual([ids[2], ids[0], ids[3], ids[1]]);
    const dated = await find(
      'pangolin',
      { start_date: '2026-01-02T00:00:00Z', end_date: '2026-01-04T00:00:00Z', types: 'message' },
      workspace,
    );
    expect(dated.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  });
});

describe('a query', () => {
  it.each(['', ' ', '-no', '-"not at all"', '"', '***', 'yes or -no', '!!!'])(
    'of %j is refused',
    async (q) => {
      expectProblem(await own.api.get('search', { q }), 400, 'validation_failed');
    },
  );

  it('without q, with unknown types or a foreign cursor is refused', async () => {
    expectProblem(await own.api.get('search'), 400, 'validation_failed');
    expectProblem(await own.api.get('search', { q: 'x', types: 'contact,colour' }), 400, 'validation_failed');
    expectProblem(await own.api.get('search', { q: 'x', cursor: 'abc' }), 400, 'validation_failed');
  });

  it.each([
    `${'(('.repeat(200)} a`,
    `a ${'" '.repeat(200)}`,
    `a ${'-'.repeat(400)}`,
    `a ${'or '.repeat(150)} b`,
    "a'; DROP TABLE message; --",
    "\\' & | ! <-> :* a",
    'a\u202E\u200F\u0600 b',
    '\u{1F600} a \uD83D',
    `${'a'.repeat(1_000)}`,
    `${'1-'.repeat(400)}`,
    `${'a b '.repeat(250)}`,
    '.*(a+)+$ [[:alpha:]] a',
    '\uE000a\uE001',
    '܀܀܀ ٱلْعَرَبِيَّة',
  ])('of hostile text is answered: %#', async (q) => {
    const answer = await own.api.get('search', { q });
    expect([200, 400]).toContain(answer.status);
  });

  it('with a NUL, or of more than 1,000 characters, is refused', async () => {
    for (const q of ['a\u0000b', 'a'.repeat(1_001), ' '.repeat(5_000)])
      expectProblem(await own.api.get('search', { q }), 400, 'validation_failed');
  });
});

it('finds nothing of another organization', async () => {
  const other = await newWorkspace();
  const { contact_id } = await ok(other.api.post('contacts', { name: 'Secretperson' }));
  await until(async () => (await find('secretperson', {}, other)).length === 1);
  expect(await idsOf('secretperson')).toEqual([]);
  expect(await idsOf('secretperson', { contact_id })).toEqual([]);
});
