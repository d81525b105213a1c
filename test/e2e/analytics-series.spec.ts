import { type Json, newWorkspace, ok, type Query, type Workspace } from '../support/clients/client.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import { received } from '../support/data/records.js';
import { until } from '../support/until.js';

const MARCH = { start_date: '2026-03-27T23:00:00Z', end_date: '2026-03-30T22:00:00Z' };

let workspace: Workspace;
beforeAll(async () => {
  workspace = await newWorkspace({ organization: { timezone: 'Europe/Berlin' } });
  const { api, agentId } = workspace;
  for (const sent_at of ['2026-03-28T00:30:00Z', '2026-03-29T00:59:59Z', '2026-03-29T22:00:00Z']) {
    const { conversation_id } = await ok(received(api, { contact: { name: 'Grace' }, sent_at }));
    const answer = {
      conversation_id,
      message_direction: 'sent',
      sent_at: sent_at.replace(':00Z', ':42Z'),
      agent_id: agentId,
    };
    await ok(received(api, answer));
  }
  const stages = await ok(api.get('sale-statuses'));
  const { company_id } = await ok(api.post('companies', { name: 'Navy' }));
  await ok(
    api.post('sales', { company_id, owner_id: agentId, status_id: stages.data[1].status_id, name: 'Boats' }),
  );
  const written = new Date().toISOString();
  await until(async () => (await asked('analytics/sales', MARCH)).as_of > written);
});

const asked = (path: string, query: Query): Promise<Json> => ok(workspace.api.get(path, query));
const series = (query: Query): Promise<Json> => asked('analytics/series', query);
const refused = (query: Query) => workspace.api.get('analytics/series', query);

const METRICS: [metric: string, path: string, names: string[]][] = [
  ['volume', 'analytics/conversations/volume', ['volumeStats']],
  ['response_rate', 'analytics/conversations/response-rate', ['responseRateStats']],
  ['response_time', 'analytics/conversations/response-time', ['responseTimeStats']],
  ['modality', 'analytics/conversations/modality', ['modalityStats']],
  ['sales', 'analytics/sales', ['pipeline', 'salesRate']],
];

describe('a series of figures', () => {
  it.each(METRICS)('of %s has in each bucket what %s answers for it', async (metric, path, names) => {
    const now = new Date(Date.now() + 86_400_000).toISOString();
    for (const query of [
      { ...MARCH, interval: 'hour' },
      { ...MARCH, interval: 'day' },
      { start_date: '2026-01-15T10:17:31.4Z', end_date: now, interval: 'week' },
      { start_date: '2026-01-15T10:17:31.4Z', end_date: now, interval: 'month' },
    ]) {
      const { buckets, as_of, ...shown } = await series({ ...query, metric });
      expect(shown).toEqual({ interval: query.interval, time_zone: 'Europe/Berlin' });
      expect(as_of).toMatch(INSTANT);
      for (const { start_date, end_date, ...figures } of buckets) {
        const { as_of: _, ...own } = await asked(path, { start_date, end_date });
        expect(Object.keys(figures)).toEqual(names);
        expect(figures).toEqual(metric === 'sales' ? own : { [names[0]!]: own });
      }
    }
  });

  it('has all figures when none is named, and those named once or more', async () => {
    const query = { ...MARCH, interval: 'day' };
    const namesOf = ({ buckets }: Json) => Object.keys(buckets[0]).slice(2);
    const all = METRICS.flatMap(([, , names]) => names);
    expect(namesOf(await series(query)).sort()).toEqual(all.sort());
    const path = workspace.api.path('analytics/series', query);
    const twice = await ok(workspace.api.get(`${path}&metric=volume&metric=sales&metric=volume`));
    expect(namesOf(twice).sort()).toEqual(['pipeline', 'salesRate', 'volumeStats']);
    expect(namesOf(await series({ ...query, metric: 'sales,volume' })).sort()).toEqual(namesOf(twice).sort());
  });

  it("has days by the organization's calendar, of 23 hours where the clocks change, or by that of another zone", async () => {
    const { buckets } = await series({ ...MARCH, interval: 'day', metric: 'volume' });
    expect(
      buckets.map(({ start_date, volumeStats }: Json) => [start_date, volumeStats.numMessagesReceived]),
    ).toEqual([
      ['2026-03-27T23:00:00.000000Z', 1],
      ['2026-03-28T23:00:00.000000Z', 1],
      ['2026-03-29T22:00:00.000000Z', 1],
    ]);
    const other = await series({ ...MARCH, interval: 'day', metric: 'volume', time_zone: 'Asia/Kathmandu' });
    expect(other.time_zone).toBe('Asia/Kathmandu');
    expect(other.buckets[1].start_date).toBe('2026-03-28T18:15:00.000000Z');
  });

  it('begins with the window and ends with it', async () => {
    const window = { start_date: '2026-03-27T23:00:00.000001Z', end_date: '2026-04-01T10:30:00+02:00' };
    const { buckets } = await series({ ...window, interval: 'week' });
    expect(buckets.map(({ start_date, end_date }: Json) => [start_date, end_date])).toEqual([
      ['2026-03-27T23:00:00.000001Z', '2026-03-29T22:00:00.000000Z'],
      ['2026-03-29T22:00:00.000000Z', '2026-04-01T08:30:00.000000Z'],
    ]);
  });

  it('has 400 buckets at most', async () => {
    const from = { start_date: '2026-01-01T00:00:00Z', interval: 'hour', time_zone: 'UTC' };
    const most = await series({ ...from, end_date: '2026-01-17T16:00:00Z' });
    expect(most.buckets).toHaveLength(400);
    expectProblem(
      await refused({ ...from, end_date: '2026-01-17T16:00:00.000001Z' }),
      400,
      'validation_failed',
      'interval',
    );
    const allTime = { start_date: '0001-01-01T00:00:00Z', end_date: '9999-12-31T23:59:59.999999Z' };
    expectProblem(await refused({ ...allTime, interval: 'month' }), 400, 'validation_failed', 'interval');
  });

  it.each<[string, Query, string]>([
    ['an interval that there is none', { interval: 'year' }, 'interval'],
    ['no interval', {}, 'interval'],
    ['a zone that nobody knows', { interval: 'day', time_zone: 'Europe/Atlantis' }, 'time_zone'],
    ['an empty zone', { interval: 'day', time_zone: '' }, 'time_zone'],
    ['a metric that there is none', { interval: 'day', metric: 'volume,charm' }, 'metric'],
    ['no beginning', { interval: 'day', start_date: undefined }, 'start_date'],
    ['an end before its beginning', { interval: 'day', end_date: MARCH.start_date }, 'end_date'],
    ['a parameter nobody knows', { interval: 'day', agent_id: 'agent_1' }, 'agent_id'],
  ])('with %s is refused, naming it', async (_, query, field) =>
    expectProblem(await refused({ ...MARCH, ...query }), 400, 'validation_failed', field),
  );
});

describe('the figures of all agents', () => {
  it('are for each what the path of the agent answers, those without any included', async () => {
    const { agent_id } = await ok(workspace.adminApi.post('agents', { name: 'Idle' }));
    const window = { start_date: '2026-01-01T00:00:00Z', end_date: '2036-01-01T00:00:00Z' };
    const { data, as_of } = await asked('analytics/agents', window);
    expect(as_of).toMatch(INSTANT);
    expect(data.map((one: Json) => [one.agent_id, one.name])).toEqual([
      [agent_id, 'Idle'],
      [workspace.agentId, 'Ada Byron'],
    ]);
    expect(data[1].conversations).toEqual({ conversationsRespondedTo: 3, messagesSent: 3 });
    for (const { agent_id, name: _, ...figures } of data) {
      const { as_of: __, ...own } = await asked(`agents/${agent_id}/analytics`, window);
      expect(figures).toEqual(own);
    }
  });

  it('need a window', async () =>
    expectProblem(
      await workspace.api.get('analytics/agents', { start_date: MARCH.start_date }),
      400,
      'validation_failed',
      'end_date',
    ));
});
