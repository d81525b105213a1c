import { newId } from '#kernel/id.js';
import {
  apiOf,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  type Query,
  type Workspace,
} from '../support/clients/client.js';
import { inDatabase } from '../support/database/database.js';
import { expectProblem, INSTANT, withoutIds } from '../support/clients/expectations.js';
import { postMail, rawMail } from '../support/data/mail.js';
import { rawAppend } from '../support/database/raw-append.js';
import { received } from '../support/data/records.js';
import { until } from '../support/until.js';

const NOWHERE = '01hzy3v7q4e8k9m2n5p6r7s8t9';
const JANUARY = { start_date: '2026-01-01T00:00:00Z', end_date: '2026-02-01T00:00:00Z' };

let workspace: Workspace;
let solution: string;
beforeEach(async () => {
  workspace = await newWorkspace();
  solution = (await ok(workspace.api.get('/api/v1/solutions')))[0].uuid;
});

const paths = ({ agentId }: Workspace) => [
  'analytics/conversations',
  'analytics/conversations/response-rate',
  'analytics/conversations/response-time',
  'analytics/conversations/volume',
  'analytics/conversations/modality',
  'analytics/sales',
  `agents/${agentId}/analytics`,
  `agents/${agentId}/analytics/conversations`,
  `agents/${agentId}/analytics/sales`,
];
const legacyPath = (uuid = solution) => `/api/v1/solutions/${uuid}/analytics`;

const recorded = (body: object): Promise<Json> => ok(received(workspace.api, body));
const answered = (conversation_id: string, sent_at: string, body: object = {}): Promise<Json> =>
  recorded({ conversation_id, message_direction: 'sent', sent_at, ...body });

/** The figures once they are as of an instant after all that has been written so far. */
async function figures(path: string, query: Query = JANUARY): Promise<Json> {
  const written = new Date().toISOString();
  let body: Json;
  await until(async () => {
    body = await ok(workspace.api.get(path, query));
    return body.as_of > written;
  });
  expect(body.as_of).toMatch(INSTANT);
  return body;
}

/** Appends the events of a new sale, behind the API's back. */
async function sale(events: { type: string; data: object }[]): Promise<void> {
  const id = newId('sale');
  const [first, ...rest] = events;
  const all = [{ ...first!, data: { sale_id: id, ...first!.data } }, ...rest];
  const append = rawAppend(workspace.organizationId, [{ id, type: 'sale', expected: 0, events: all }]);
  await inDatabase((database) => database.query(append));
}

async function stages(): Promise<Json[]> {
  return inDatabase(async (database) => {
    const { rows } = await database.query(
      'SELECT stage_id AS status_id, label, status FROM stage WHERE organization_id = $1 ORDER BY position',
      [workspace.organizationId],
    );
    return rows;
  });
}

const opening = (stage: Json, created_at: string, data: object = {}) => ({
  type: 'SaleOpened',
  data: {
    company_id: null,
    owner_id: null,
    associated_contacts: [],
    associated_conversation_ids: [],
    custom_fields: {},
    created_at,
    stage,
    ...data,
  },
});
const moving = (stage: Json, changed_at: string) => ({
  type: 'SaleStageChanged',
  data: { ...stage, changed_at },
});
const quoting = (currency: string, total_price: string) => ({
  type: 'SaleQuoted',
  data: {
    quote_details: { output: { currency, total_price }, arguments: { products: [] } },
    quoted_at: '2026-01-02T00:00:00.000000Z',
  },
});

describe('the window', () => {
  it.each<[string, Query, string[]]>([
    ['without dates', {}, ['start_date', 'end_date']],
    ['without start_date', { end_date: JANUARY.end_date }, ['start_date']],
    ['without end_date', { start_date: JANUARY.start_date }, ['end_date']],
    ['with an empty start_date', { ...JANUARY, start_date: '' }, ['start_date']],
    ['with a bare date', { ...JANUARY, start_date: '2026-01-01' }, ['start_date']],
    ['with a date that is none', { ...JANUARY, end_date: '2026-02-30T00:00:00Z' }, ['end_date']],
    ['reversed', { start_date: JANUARY.end_date, end_date: JANUARY.start_date }, ['end_date']],
    ['empty', { start_date: JANUARY.start_date, end_date: JANUARY.start_date }, ['end_date']],
    ['empty in another zone', { ...JANUARY, end_date: '2026-01-01T02:00:00+02:00' }, ['end_date']],
    ['with a parameter nobody knows', { ...JANUARY, limit: 5 }, ['limit']],
  ])('%s is refused on every path, naming the field', async (_, query, fields) => {
    for (const path of [...paths(workspace), legacyPath()])
      expectProblem(await workspace.api.get(path, query), 400, 'validation_failed', ...fields);
  });

  it('includes its start and excludes its end, to the microsecond', async () => {
    const contact = { name: 'Grace' };
    for (const sent_at of [
      '2025-12-31T23:59:59.999999Z',
      '2026-01-01T00:00:00.000000Z',
      '2026-01-31T23:59:59.999999Z',
      '2026-02-01T00:00:00.000000Z',
    ])
      await recorded({ contact, sent_at });
    expect(await figures('analytics/conversations/volume')).toMatchObject({
      numMessagesReceived: 2,
      totalConversations: 2,
    });
    const shifted = { start_date: '2026-01-01T01:00:00+01:00', end_date: '2026-01-31T19:00:00-05:00' };
    expect(await figures('analytics/conversations/volume', shifted)).toMatchObject({
      numMessagesReceived: 2,
    });
  });
});

describe('an organization to which nothing has happened', () => {
  it('has 0 everywhere, in the shape of the contract', async () => {
    const rate = { numConversationsRespondedTo: 0, numConversationsReceived: 0, responseRate: 0 };
    const time = { responseTime: 0, numResponses: 0 };
    const volume = { numMessagesReceived: 0, numMessagesSent: 0, totalConversations: 0 };
    const modality = { textMessages: 0, calls: 0, emails: 0, liveChats: 0, formRequests: 0 };
    const stage = (name: string, status: string | null) => ({ name, status, volume: 0, value: '0' });
    const sales = {
      pipeline: [
        stage('Qualified', null),
        stage('Quoted', 'quoted'),
        stage('Accepted', 'accepted'),
        stage('Fulfilled', 'fulfilled'),
      ],
      salesRate: 0,
    };
    const agent = { conversationsRespondedTo: 0, messagesSent: 0 };
    const expected = [
      { responseRateStats: rate, responseTimeStats: time, volumeStats: volume, modalityStats: modality },
      rate,
      time,
      volume,
      modality,
      sales,
      { conversations: agent, sales },
      agent,
      sales,
    ];
    for (const [index, path] of paths(workspace).entries())
      expect(await figures(path)).toEqual({ ...expected[index], as_of: expect.any(String) });
    expect(await figures(legacyPath())).toEqual({
      responseRateStats: { numChatsSent: 0, numPendingChats: 0, responseRate: 0 },
      responseTimeStats: {
        responseTime: 0,
        responseTimeBusinessHours: 0,
        numResponses: 0,
        numResponsesBusinessHours: 0,
      },
      salesStats: { averageSpeedToSale: 0, numSalesCounted: 0 },
      valueStats: { salesValue: 0, quoteValue: 0 },
      salesFunnelStats: {
        source: { sessionsDirectEmail: 0, sessionsIndirectEmail: 0, sessionsFormRequest: 0 },
        response: {
          sessionsLeadResponded: 0,
          sessionsGhosted: 0,
          sessionsResponseSent: 0,
          sessionsPendingOutreach: 0,
        },
        outcome: { sessionsQuoted: 0 },
        sale: { sessionsSale: 0 },
      },
      autonomyRateStats: { chatsSentWithChanges: 0, chatsSentWithoutChanges: 0, autonomyRate: 0 },
      numLeads: 0,
      leadsHandled: 0,
      salesRate: 0,
      quoteRate: 0,
      ghostRate: 0,
      leadResponseScore: 0,
      as_of: expect.any(String),
    });
  });
});

describe('conversation figures', () => {
  it('tell how conversations began, how many were answered and how fast', async () => {
    const { agentId } = workspace;
    const contact = { name: 'Grace' };
    const mail = await recorded({ contact, sent_at: '2026-01-05T10:00:00Z' });
    await answered(mail.conversation_id, '2026-01-05T10:10:00Z');
    await recorded({ conversation_id: mail.conversation_id, sent_at: '2026-01-05T11:00:00Z' });
    await answered(mail.conversation_id, '2026-01-05T11:00:30.5Z', { agent_id: agentId });
    await recorded({ contact, sent_at: '2026-01-06T10:00:00Z', is_form_request: true });
    await recorded({ contact, modality: 'call', sent_at: '2026-01-07T10:00:00Z' });
    const whole = await figures('analytics/conversations');
    expect(whole).toMatchObject({
      responseRateStats: { numConversationsRespondedTo: 1, numConversationsReceived: 3, responseRate: 1 / 3 },
      responseTimeStats: { responseTime: (600 + 30.5) / 2, numResponses: 2 },
      volumeStats: { numMessagesReceived: 4, numMessagesSent: 2, totalConversations: 3 },
      modalityStats: { textMessages: 0, calls: 1, emails: 1, liveChats: 0, formRequests: 1 },
    });
    for (const [part, name] of [
      ['response-rate', 'responseRateStats'],
      ['response-time', 'responseTimeStats'],
      ['volume', 'volumeStats'],
      ['modality', 'modalityStats'],
    ] as const)
      expect(await figures(`analytics/conversations/${part}`)).toEqual({
        ...whole[name],
        as_of: expect.any(String),
      });
    const activity = { conversationsRespondedTo: 1, messagesSent: 2 };
    expect(await figures(`agents/${agentId}/analytics/conversations`)).toMatchObject(activity);
    expect((await figures(`agents/${agentId}/analytics`)).conversations).toEqual(activity);
  });

  it('come out the same when messages are recorded late', async () => {
    const { conversation_id } = await recorded({
      contact: { name: 'Grace' },
      sent_at: '2026-02-05T10:00:00Z',
    });
    await answered(conversation_id, '2026-01-10T10:00:10Z');
    expect(await figures('analytics/conversations')).toMatchObject({
      responseRateStats: { numConversationsRespondedTo: 0, numConversationsReceived: 0 },
      responseTimeStats: { numResponses: 0 },
    });
    await recorded({ conversation_id, sent_at: '2026-01-10T10:00:00Z', modality: 'text' });
    expect(await figures('analytics/conversations')).toMatchObject({
      responseRateStats: { numConversationsRespondedTo: 1, numConversationsReceived: 1 },
      responseTimeStats: { responseTime: 10, numResponses: 1 },
      modalityStats: { textMessages: 1, emails: 0 },
    });
  });
});

describe('sale figures', () => {
  it('add amounts of up to 30 digits before the point exactly', async () => {
    const [qualified] = await stages();
    for (const total_price of ['999999999999999999999999999999.9999', '0.0002', '30000000000000000.0000'])
      await sale([opening(qualified, '2026-01-05T00:00:00.000000Z'), quoting('USD', total_price)]);
    const [{ value }] = (await figures('analytics/sales')).pipeline;
    expect(value).toBe('1000000000000030000000000000000.0001');
  });

  it('have the sum by currency also where there is one currency, when asked for', async () => {
    const [qualified, quoted, accepted] = await stages();
    const owner_id = workspace.agentId;
    for (const [stage, currency] of [
      [qualified, 'EUR'],
      [qualified, 'EUR'],
      [quoted, 'EUR'],
      [quoted, 'USD'],
    ])
      await sale([opening(stage, '2026-01-05T00:00:00.000000Z', { owner_id }), quoting(currency, '12.50')]);
    await sale([opening(accepted, '2026-01-05T00:00:00.000000Z', { owner_id })]);
    const euros = (value: string) => ({ currency: 'EUR', value });
    const several = [euros('12.50'), { currency: 'USD', value: '12.50' }];
    const asked = { ...JANUARY, by_currency: true };
    const valuesOf = ({ pipeline }: Json) => pipeline.map(({ values }: Json) => values);
    for (const path of ['analytics/sales', `agents/${owner_id}/analytics/sales`]) {
      expect(valuesOf(await figures(path, asked))).toEqual([[euros('25.00')], several, undefined, undefined]);
      expect(valuesOf(await figures(path))).toEqual([undefined, several, undefined, undefined]);
    }
    const { sales } = await figures(`agents/${owner_id}/analytics`, asked);
    expect(valuesOf(sales)).toEqual([[euros('25.00')], several, undefined, undefined]);
    const { data } = await figures('analytics/agents', asked);
    expect(data.find(({ agent_id }: Json) => agent_id === owner_id).sales).toEqual(sales);
  });

  it('count the sales whose stay overlaps the window, with the exact sums of their latest quotes', async () => {
    const [qualified, quoted, accepted] = await stages();
    const owner_id = workspace.agentId;
    await sale([
      opening(qualified, '2026-01-05T00:00:00.000000Z', { owner_id }),
      quoting('EUR', '99'),
      moving(quoted, '2026-01-10T00:00:00.000000Z'),
      moving(quoted, '2026-01-20T00:00:00.000000Z'),
      quoting('EUR', '0.10'),
      moving(accepted, '2026-02-01T00:00:00.000000Z'),
    ]);
    await sale([opening(qualified, '2025-12-01T00:00:00.000000Z'), quoting('USD', '0.2000')]);
    await sale([opening(quoted, '2026-01-31T23:59:59.999999Z'), quoting('USD', '1000000000000.01')]);
    const sales = await figures('analytics/sales');
    expect(sales.pipeline).toEqual([
      {
        name: 'Qualified',
        status: null,
        volume: 2,
        value: expect.stringMatching(/^0\.30*$/),
        values: [
          { currency: 'EUR', value: '0.10' },
          { currency: 'USD', value: '0.2000' },
        ],
      },
      {
        name: 'Quoted',
        status: 'quoted',
        volume: 2,
        value: '1000000000000.11',
        values: [
          { currency: 'EUR', value: '0.10' },
          { currency: 'USD', value: '1000000000000.01' },
        ],
      },
      { name: 'Accepted', status: 'accepted', volume: 0, value: '0' },
      { name: 'Fulfilled', status: 'fulfilled', volume: 0, value: '0' },
    ]);
    expect(sales.salesRate).toBe(0.5);
    const own = await figures(`agents/${owner_id}/analytics/sales`);
    expect(own.pipeline.map(({ volume, value }: Json) => [volume, value])).toEqual([
      [1, '0.10'],
      [1, '0.10'],
      [0, '0'],
      [0, '0'],
    ]);
    expect(own.salesRate).toBe(1);
    expect((await figures(`agents/${owner_id}/analytics`)).sales).toEqual({
      pipeline: own.pipeline,
      salesRate: 1,
    });
  });

  it('of a window that begins where a stay ends leave that out', async () => {
    const [qualified, quoted] = await stages();
    await sale([
      opening(qualified, '2025-12-01T00:00:00.000000Z'),
      moving(quoted, '2026-01-01T00:00:00.000000Z'),
    ]);
    const volumes = async () => (await figures('analytics/sales')).pipeline.map(({ volume }: Json) => volume);
    expect(await volumes()).toEqual([0, 1, 0, 0]);
  });
});

describe('legacy solutions', () => {
  it('are a bare array of those that the key sees', async () => {
    const solutions = await ok(workspace.api.get('/api/v1/solutions'));
    expect(solutions).toEqual([
      { uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/), name: 'Acme' },
    ]);
    const added = await ok(workspace.adminApi.post('solutions', { name: 'Second' }));
    expect(await ok(workspace.api.get('/api/v1/solutions'))).toEqual([added, ...solutions]);
    expectProblem(
      await workspace.api.get('/api/v1/solutions', { limit: 1 }),
      400,
      'validation_failed',
      'limit',
    );
  });

  it('of another organization are answered exactly as ones that do not exist', async () => {
    const other = await newWorkspace();
    const [{ uuid }] = await ok(other.api.get('/api/v1/solutions'));
    const nobodys = '01890a5d-ac96-774b-bcce-b302099a8057';
    for (const query of [JANUARY, {}]) {
      const theirs = await workspace.api.get(legacyPath(uuid), query);
      expectProblem(theirs, 404, 'solution_not_found');
      const none = await workspace.api.get(legacyPath(nobodys), query);
      expect(withoutIds(theirs, [uuid])).toEqual(withoutIds(none, [nobodys]));
    }
    for (const id of ['x', 'constructor', NOWHERE])
      expectProblem(await workspace.api.get(legacyPath(id), JANUARY), 404, 'solution_not_found');
  });

  it('of several organizations are shown to a key of both, each with its own figures', async () => {
    const other = await newWorkspace();
    const organization_ids = [workspace.organizationId, other.organizationId];
    const { api_key } = await ok(workspace.admin.post('api-keys', { name: 'Both', organization_ids }));
    const both = apiOf(workspace.organizationId, api_key);
    const solutions = await ok(both.get('/api/v1/solutions'));
    expect(solutions).toHaveLength(2);
    await recorded({ contact: { name: 'Grace' }, sent_at: '2026-01-05T10:00:00Z' });
    expect((await figures(legacyPath())).numLeads).toBe(1);
    for (const { uuid } of solutions)
      expect((await ok(both.get(legacyPath(uuid), JANUARY))).numLeads).toBe(uuid === solution ? 1 : 0);
  });
});

describe('legacy figures', () => {
  it('follow leads from the first inbound message to the sale', async () => {
    const [, quoted, accepted] = await stages();
    const contact = { name: 'Grace' };
    // Monday, 09:00 in UTC, the organization's zone.
    const { conversation_id } = await recorded({ contact, sent_at: '2026-01-05T16:50:00Z' });
    await answered(conversation_id, '2026-01-06T09:10:00Z');
    await recorded({ contact, sent_at: '2026-01-10T10:00:00Z', is_form_request: true });
    await sale([
      opening(quoted, '2026-01-06T10:00:00.000000Z', { associated_conversation_ids: [conversation_id] }),
      quoting('EUR', '1200.50'),
      moving(accepted, '2026-01-06T16:50:00.000000Z'),
    ]);
    expect(await figures(legacyPath())).toMatchObject({
      responseRateStats: { numChatsSent: 1, numPendingChats: 1, responseRate: 0.5 },
      responseTimeStats: {
        responseTime: 58_800,
        responseTimeBusinessHours: 1_200,
        numResponses: 1,
        numResponsesBusinessHours: 1,
      },
      salesStats: { averageSpeedToSale: 86_400, numSalesCounted: 1 },
      valueStats: { salesValue: 1200.5, quoteValue: 1200.5 },
      salesFunnelStats: {
        source: { sessionsDirectEmail: 1, sessionsIndirectEmail: 0, sessionsFormRequest: 1 },
        response: {
          sessionsLeadResponded: 0,
          sessionsGhosted: 1,
          sessionsResponseSent: 1,
          sessionsPendingOutreach: 1,
        },
        outcome: { sessionsQuoted: 1 },
        sale: { sessionsSale: 1 },
      },
      numLeads: 2,
      leadsHandled: 1,
      salesRate: 0.5,
      quoteRate: 0.5,
      ghostRate: 1,
      leadResponseScore: 0,
    });
  });

  it('tell the speed of a sale from its conversation that starts first, which a late message of ours can change', async () => {
    const [quoted, , accepted] = await stages();
    const one = await recorded({ contact: { name: 'Grace' }, sent_at: '2026-01-05T10:00:00Z' });
    const other = await recorded({ contact: { name: 'Ada' }, sent_at: '2026-01-05T12:00:00Z' });
    const associated_conversation_ids = [one.conversation_id, other.conversation_id];
    await sale([
      opening(quoted, '2026-01-06T10:00:00.000000Z', { associated_conversation_ids }),
      moving(accepted, '2026-01-06T12:00:00.000000Z'),
    ]);
    expect((await figures(legacyPath())).salesStats).toEqual({
      averageSpeedToSale: 26 * 3_600,
      numSalesCounted: 1,
    });
    await answered(other.conversation_id, '2026-01-05T09:00:00Z');
    expect((await figures(legacyPath())).salesStats).toEqual({
      averageSpeedToSale: 24 * 3_600,
      numSalesCounted: 1,
    });
  });

  it('count a mail as indirect that names the channel as cc or bcc, or nowhere', async () => {
    const channel = await emailChannel(workspace, 25);
    const own = channel.from_address;
    const elsewhere = 'grace@army.example';
    const mails: [to: string, cc?: string][] = [
      [own],
      [`"Sales, all" <${own.toUpperCase()}>, ${elsewhere}`, own],
      [own.replace(/.*@/, 'another@')],
      [elsewhere, own],
      [elsewhere],
      [elsewhere, elsewhere],
      ['undisclosed-recipients:;'],
    ];
    for (const [nr, [to, cc]] of mails.entries()) {
      const headers = cc ? [`Cc: ${cc}`] : [];
      const date = 'Mon, 05 Jan 2026 10:00:00 +0000';
      await ok(postMail(channel, rawMail({ from: `grace${nr}@navy.example`, to, headers, date })));
    }
    expect((await figures(legacyPath())).salesFunnelStats.source).toEqual({
      sessionsDirectEmail: 3,
      sessionsIndirectEmail: 4,
      sessionsFormRequest: 0,
    });
  });
});

describe('an agent', () => {
  it('who is not in the organization is not found, whatever the dates are', async () => {
    const other = await newWorkspace();
    for (const id of [other.agentId, `agent_${NOWHERE}`, 'x', solution])
      for (const part of ['', '/conversations', '/sales'])
        for (const query of [JANUARY, {}])
          expectProblem(
            await workspace.api.get(`agents/${id}/analytics${part}`, query),
            404,
            'agent_not_found',
          );
  });
});

describe('figures under load', () => {
  it('are as of later and later instants, whatever is written in between', async () => {
    const instants: string[] = [];
    for (let round = 0; round < 20; round++) {
      const { as_of } = await ok(workspace.api.get('analytics/conversations/volume', JANUARY));
      instants.push(as_of);
      await recorded({ contact: { email: 'grace@navy.example' } });
    }
    expect(instants).toEqual([...new Set(instants)].sort());
  });

  it('agree with each other, and with themselves as of the same instant', async () => {
    const window = { start_date: '2026-01-01T00:00:00Z', end_date: '9999-01-01T00:00:00Z' };
    const path = 'analytics/conversations';
    let writing = true;
    const writer = async (nr: number) => {
      for (let count = 0; count < 12; count++) {
        const { conversation_id } = await recorded({ contact: { email: `grace${nr}@navy.example` } });
        await recorded({ conversation_id, message_direction: 'sent' });
      }
    };
    const seen = new Map<string, string>();
    const reader = async () => {
      while (writing) {
        const { as_of, ...body } = await ok(workspace.api.get(path, window));
        const { responseRateStats: rate, modalityStats: modality, volumeStats: volume } = body;
        expect(rate.numConversationsRespondedTo).toBeLessThanOrEqual(rate.numConversationsReceived);
        expect(Object.values<number>(modality).reduce((sum, part) => sum + part)).toBe(
          volume.totalConversations,
        );
        expect(volume.totalConversations).toBe(rate.numConversationsReceived);
        expect(volume.numMessagesSent).toBeLessThanOrEqual(volume.numMessagesReceived);
        expect(seen.get(as_of) ?? JSON.stringify(body)).toBe(JSON.stringify(body));
        seen.set(as_of, JSON.stringify(body));
      }
    };
    const reading = reader();
    await Promise.all(Array.from({ length: 16 }, (_, nr) => writer(nr))).finally(() => (writing = false));
    await reading;
    expect(seen.size).toBeGreaterThan(1);
    expect((await figures(path, window)).volumeStats).toEqual({
      numMessagesReceived: 192,
      numMessagesSent: 192,
      totalConversations: 192,
    });
  });
});
