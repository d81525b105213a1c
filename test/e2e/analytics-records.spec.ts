import {
  type Client,
  type Json,
  newWorkspace,
  ok,
  type Query,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { received } from '../support/data/records.js';
import { until } from '../support/until.js';

const NOWHERE = '01hzy3v7q4e8k9m2n5p6r7s8t9';
const WINDOW = { start_date: '2026-01-01T00:00:00Z', end_date: '2036-01-01T00:00:00Z' };
const RECORDS = 'analytics/records';

let workspace: Workspace;
let api: Client;
let stages: Json[];
let conversations: string[];
let sales: string[];

/** Three conversations, two of them answered, one of these twice by the agent; three sales, one of them accepted. */
beforeAll(async () => {
  workspace = await newWorkspace();
  ({ api } = workspace);
  const { agentId: agent_id, adminApi } = workspace;
  const colleague = await ok(adminApi.post('agents', { name: 'Grace' }));
  const contact = { name: 'Grace' };
  const recorded = (body: object): Promise<Json> => ok(received(api, body));
  const begun = [
    await recorded({ contact, sent_at: '2026-01-05T10:00:00Z' }),
    await recorded({ contact, sent_at: '2026-01-06T10:00:00Z', is_form_request: true }),
    await recorded({ contact, modality: 'call', sent_at: '2026-01-07T10:00:00Z' }),
  ];
  conversations = begun.map(({ conversation_id }) => conversation_id);
  const sent = (conversation_id: string | undefined, sent_at: string, body: object = {}) =>
    recorded({ conversation_id, message_direction: 'sent', sent_at, ...body });
  await sent(conversations[0], '2026-01-05T10:10:00Z', { agent_id });
  await recorded({ conversation_id: conversations[0], sent_at: '2026-01-05T11:00:00Z' });
  await sent(conversations[0], '2026-01-05T11:00:30.5Z', { agent_id });
  await sent(conversations[1], '2026-01-06T10:00:01Z', { agent_id: colleague.agent_id });
  stages = (await ok(api.get('sale-statuses'))).data;
  const [{ contact_id }] = (await ok(api.get('contacts'))).data;
  const opened = (owner_id: string | null): Promise<Json> =>
    ok(
      api.post('sales', {
        status_id: stages[0].status_id,
        associated_contacts: [{ contact_id }],
        owner_id,
      }),
    );
  sales = [];
  for (const owner of [agent_id, agent_id, null]) sales.push((await opened(owner)).sale_id);
  const products = [{ product_name: 'Chair', quantity: 3, unit_price: '19.99' }];
  await ok(api.put(`sales/${sales[0]}/quote`, { currency: 'USD', products }));
  await ok(api.patch(`sales/${sales[0]}`, { status_id: stages[2].status_id }));
  await until(async () => (await ok(api.get('analytics/sales', WINDOW))).pipeline[2].volume === 1);
});

const paths = () => [
  'analytics/conversations',
  'analytics/conversations/response-rate',
  'analytics/conversations/response-time',
  'analytics/conversations/volume',
  'analytics/conversations/modality',
  'analytics/sales',
  `agents/${workspace.agentId}/analytics`,
  `agents/${workspace.agentId}/analytics/conversations`,
  `agents/${workspace.agentId}/analytics/sales`,
];

const records = async (query: Query): Promise<Json[]> =>
  (await ok(api.get(RECORDS, { ...WINDOW, ...query }))).data;

/** How many records a link leads to, followed as it is. */
const behind = async (link: string): Promise<number> => (await ok(api.get(link))).data.length;

/** The figures of an answer by name, those in groups included. */
const flat = (answer: Json): Json =>
  Object.assign(
    {},
    ...Object.entries<Json>(answer).map(([name, value]) =>
      typeof value === 'object' && !Array.isArray(value) ? flat(value) : { [name]: value },
    ),
  );

describe('explain=true', () => {
  it('adds to every answer, by figure, links to as many records as the figure says', async () => {
    for (const path of paths()) {
      const { as_of: _, explain, ...answer } = await ok(api.get(path, { ...WINDOW, explain: true }));
      const figures = flat(answer);
      expect([path, Object.keys(explain)]).toEqual([path, Object.keys(figures)]);
      for (const [name, link] of Object.entries<Json>(explain)) {
        const at = [path, name];
        if (name === 'pipeline') {
          const volumes = await Promise.all(link.map(({ volume }: Json) => behind(volume)));
          expect([at, volumes]).toEqual([at, figures.pipeline.map(({ volume }: Json) => volume)]);
          expect(link.map(({ status_id }: Json) => status_id)).toEqual(stages.map((one) => one.status_id));
        } else if (link.numerator) {
          const ratio = (await behind(link.numerator)) / (await behind(link.denominator));
          expect([at, ratio]).toEqual([at, figures[name]]);
        } else if (name === 'responseTime') expect(await behind(link)).toBe(3);
        else expect([at, await behind(link)]).toEqual([at, figures[name]]);
      }
    }
  });

  it('is the only thing that adds them: without it, or with false, the answer is what it was', async () => {
    for (const path of paths()) {
      const withoutAsOf = async (query: Query) => {
        const { as_of: _, ...answer } = await ok(api.get(path, { ...WINDOW, ...query }));
        return answer;
      };
      const { explain: _, ...explained } = await withoutAsOf({ explain: true });
      for (const query of [{}, { explain: false }])
        expect(JSON.stringify(await withoutAsOf(query))).toBe(JSON.stringify(explained));
    }
  });

  it('is refused in another spelling, and by the legacy analytics', async () => {
    for (const explain of ['1', 'yes', 'TRUE', ''])
      expectProblem(
        await api.get('analytics/sales', { ...WINDOW, explain }),
        400,
        'validation_failed',
        'explain',
      );
    const [{ uuid }] = await ok(api.get('/api/v1/solutions'));
    expectProblem(
      await api.get(`/api/v1/solutions/${uuid}/analytics`, { ...WINDOW, explain: true }),
      400,
      'validation_failed',
      'explain',
    );
  });
});

describe('the records', () => {
  it('are conversations, messages and sales, newest first', async () => {
    const agent_id = workspace.agentId;
    const [mail, form, call] = conversations;
    const started = { emails: mail, formRequests: form, calls: call };
    for (const [figure, conversation_id] of Object.entries(started))
      expect(await records({ figure })).toMatchObject([{ conversation_id }]);
    expect(await records({ figure: 'numConversationsReceived' })).toEqual([
      { at: '2026-01-07T10:00:00.000000Z', conversation_id: call },
      { at: '2026-01-06T10:00:00.000000Z', conversation_id: form },
      { at: '2026-01-05T10:00:00.000000Z', conversation_id: mail },
    ]);
    const message = { conversation_id: mail, message_id: expect.stringMatching(/^msg_/) };
    expect(await records({ figure: 'messagesSent', agent_id })).toEqual([
      { ...message, at: '2026-01-05T11:00:30.500000Z' },
      { ...message, at: '2026-01-05T10:10:00.000000Z' },
    ]);
    expect(await records({ figure: 'conversationsRespondedTo', agent_id })).toEqual([
      { ...message, at: '2026-01-05T10:10:00.000000Z' },
    ]);
    const times = (await records({ figure: 'numResponses' })).map((turn) => turn.response_seconds);
    expect(times).toEqual([1, 30.5, 600]);
    const { at, left_at, ...stay } = (
      await records({ figure: 'pipeline', status_id: stages[0].status_id, agent_id })
    )[1];
    expect(stay).toEqual({ sale_id: sales[0], currency: 'USD', total_price: '59.97' });
    expect(left_at > at).toBe(true);
    const [accepted] = await records({ figure: 'salesAccepted' });
    expect(accepted).toEqual({ sale_id: sales[0], at, accepted_at: left_at });
  });

  it('come in pages, each once, by a cursor that other figures, agents and windows refuse', async () => {
    const query = { figure: 'salesCreated', ...WINDOW, limit: 1 };
    const whole = await records({ figure: 'salesCreated' });
    const found: Json[] = [];
    const cursors: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { data, pagination } = await ok(api.get(RECORDS, { ...query, cursor }));
      found.push(...data);
      cursor = pagination.next_cursor;
      if (pagination.has_more) cursors.push(pagination.next_cursor);
    }
    expect(found).toEqual(whole);
    expect(found.map(({ sale_id }) => sale_id)).toEqual([...sales].reverse());
    for (const other of [
      { figure: 'salesAccepted' },
      { agent_id: workspace.agentId },
      { end_date: '2035-01-01T00:00:00Z' },
    ])
      expectProblem(
        await api.get(RECORDS, { ...query, ...other, cursor: cursors[0] }),
        400,
        'validation_failed',
        'cursor',
      );
  });

  it('of an agent or a stage that does not exist are none', async () => {
    const status_id = stages[0].status_id;
    const agent_id = `agent_${NOWHERE}`;
    for (const query of [
      { figure: 'salesCreated', agent_id },
      { figure: 'messagesSent', agent_id: 'x' },
      { figure: 'pipeline', status_id, agent_id },
      { figure: 'pipeline', status_id: `stage_${NOWHERE}` },
    ])
      expect(await records(query)).toEqual([]);
  });

  it.each<[string, Query, string]>([
    ['without a figure', {}, 'figure'],
    ['of a figure that nobody knows', { figure: 'numLeads' }, 'figure'],
    ['of a rate, which is made of two', { figure: 'salesRate' }, 'figure'],
    ['without a beginning', { figure: 'emails', start_date: undefined }, 'start_date'],
    ['without an end', { figure: 'emails', end_date: undefined }, 'end_date'],
    ['of a date without a time', { figure: 'emails', start_date: '2026-01-01' }, 'start_date'],
    ['of an empty window', { figure: 'emails', end_date: WINDOW.start_date }, 'end_date'],
    ['of the pipeline without a stage', { figure: 'pipeline' }, 'status_id'],
    ['of another figure with a stage', { figure: 'salesCreated', status_id: 'stage_x' }, 'status_id'],
    ["of an agent's figure without the agent", { figure: 'messagesSent' }, 'agent_id'],
    ['of a figure of nobody with an agent', { figure: 'emails', agent_id: 'agent_x' }, 'agent_id'],
    ['with a limit of 0', { figure: 'emails', limit: 0 }, 'limit'],
    ['with a cursor that was made up', { figure: 'emails', cursor: 'x' }, 'cursor'],
    ['with a parameter that nobody knows', { figure: 'emails', explain: true }, 'explain'],
  ])('%s are refused, naming the field', async (_, query, field) => {
    expectProblem(await api.get(RECORDS, { ...WINDOW, ...query }), 400, 'validation_failed', field);
  });
});
