import { type Json, ok } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { until } from '../support/until.js';

const NOWHERE = '01hzy3v7q4e8k9m2n5p6r7s8t9';

let own: SalesWorkspace;
beforeEach(async () => {
  own = await salesWorkspace();
});

const put = (body: unknown) => own.adminApi.put('sale-statuses', body);
const shown = async (): Promise<Json[]> => (await ok(own.api.get('sale-statuses'))).data;
const labels = (stages: Json[]): string[] => stages.map(({ label }) => label);
/** A stage as it is sent back to stay as it is. */
const kept = ({ status_id, label }: Json) => ({ status_id, label });

describe('the pipeline', () => {
  it('begins with the four stages and their tags, the first without one', async () => {
    expect(await shown()).toEqual(
      [
        ['Qualified', null],
        ['Quoted', 'quoted'],
        ['Accepted', 'accepted'],
        ['Fulfilled', 'fulfilled'],
      ].map(([label, status], position) => ({
        status_id: expect.stringMatching(/^stage_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
        label,
        status,
        position,
      })),
    );
  });

  it('is listed without a pagination block, and takes no parameters', async () => {
    expect(Object.keys(await ok(own.api.get('sale-statuses')))).toEqual(['data']);
    expectProblem(await own.api.get('sale-statuses?limit=1'), 400, 'validation_failed', 'limit');
  });

  it('has stages of its own in each organization', async () => {
    const other = await salesWorkspace();
    const ids = new Set([...own.stages, ...other.stages].map(({ status_id }) => status_id));
    expect(ids.size).toBe(8);
  });
});

describe('replacing the pipeline', () => {
  it('answers the whole pipeline, as it is listed from then on', async () => {
    const { status, body } = await put([...own.stages.map(kept), { label: 'Paid', status: 'paid' }]);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        ...own.stages,
        { status_id: expect.stringMatching(/^stage_/), label: 'Paid', status: 'paid', position: 4 },
      ],
    });
    expect(await shown()).toEqual(body.data);
  });

  it('puts the stages in the order given, with positions from 0', async () => {
    const { data } = await ok(put(own.stages.toReversed().map(kept)));
    expect(data).toEqual(own.stages.toReversed().map((stage, position) => ({ ...stage, position })));
    expect(await shown()).toEqual(data);
  });

  it('renames a stage, which keeps its id, and its tag when none is given', async () => {
    const [first, second, ...rest] = own.stages;
    const { data } = await ok(
      put([{ ...kept(first), status: 'new' }, { ...kept(second), label: 'Offered' }, ...rest.map(kept)]),
    );
    expect(data.slice(0, 2)).toEqual([
      { ...first, status: 'new' },
      { ...second, label: 'Offered' },
    ]);
    expect(
      (
        await ok(
          put([
            ...data.slice(0, 1).map((one: Json) => ({ ...kept(one), status: null })),
            ...data.slice(1).map(kept),
          ]),
        )
      ).data[0].status,
    ).toBeNull();
  });

  it('leaves the history of sales the names that the stages had', async () => {
    const sale = await own.open();
    const [first, ...rest] = own.stages;
    await ok(put([{ ...kept(first), label: 'Lead' }, ...rest.map(kept)]));
    expect(await own.show(sale)).toEqual(sale);
    const again = await own.patch(sale, { status_id: first.status_id });
    expect(labels(again.status_history)).toEqual(['Qualified', 'Lead']);
  });

  it('drops stages that no sale is in, those that sales have left included', async () => {
    const sale = await own.open();
    const [first, second, third] = own.stages;
    await own.patch(sale, { status_id: second.status_id });
    const { data } = await ok(put([kept(third), kept(second)]));
    expect(labels(data)).toEqual(['Accepted', 'Quoted']);
    expect(labels((await own.show(sale)).status_history)).toEqual(['Qualified', 'Quoted']);
    for (const answer of [
      await own.api.post('sales', { status_id: first.status_id, company_id: own.companyId }),
      await own.api.patch(`sales/${sale.sale_id}`, { status_id: first.status_id }),
    ])
      expectProblem(answer, 400, 'validation_failed', 'status_id');
  });

  it('refuses to drop a stage that a sale is in, and then changes nothing', async () => {
    await own.open({ status_id: own.stages[2].status_id });
    for (const body of [
      [kept(own.stages[0])],
      [{ label: 'Accepted', status: 'accepted' }],
      [...own.stages.slice(0, 2).map((stage) => ({ ...kept(stage), label: 'X' })), { label: 'New' }],
    ]) {
      const answer = await put(body);
      expectProblem(answer, 400, 'validation_failed', 'status_id');
      expect(answer.body.detail).toContain('Accepted');
    }
    expect(await shown()).toEqual(own.stages);
  });

  it.each<[string, unknown]>([
    ['body', []],
    ['body', {}],
    ['body', { data: [{ label: 'X' }] }],
    ['body', 'Qualified'],
    ['0', ['Qualified']],
    ['0', [null]],
    ['0.label', [{}]],
    ['0.label', [{ label: '' }]],
    ['0.label', [{ label: ' ' }]],
    ['0.label', [{ label: null }]],
    ['0.label', [{ label: 1 }]],
    ['0.label', [{ label: 'x'.repeat(1_001) }]],
    ['1.label', [{ label: 'X' }, {}]],
    ['0.status', [{ label: 'X', status: 1 }]],
    ['0.status', [{ label: 'X', status: 'x'.repeat(1_001) }]],
    ['0.position', [{ label: 'X', position: 0 }]],
    ['0.status_id', [{ label: 'X', status_id: null }]],
    ['0.status_id', [{ label: 'X', status_id: 1 }]],
    ['0.status_id', [{ label: 'X', status_id: `stage_${NOWHERE}` }]],
    ['1.status_id', [{ label: 'X' }, { label: 'Y', status_id: 'x' }]],
  ])('refuses a wrong %s, and then changes nothing: %j', async (field, body) => {
    expectProblem(await put(body), 400, 'validation_failed', field);
    expect(await shown()).toEqual(own.stages);
  });

  it('refuses a stage that is named twice', async () => {
    const [first] = own.stages;
    expectProblem(await put([kept(first), kept(first)]), 400, 'validation_failed', 'status_id');
  });

  it('refuses a stage of another organization as one that does not exist', async () => {
    const other = await salesWorkspace();
    expectProblem(await put([kept(other.stages[0])]), 400, 'validation_failed', '0.status_id');
    expect((await ok(other.api.get('sale-statuses'))).data).toEqual(other.stages);
  });

  it('is not found in an organization that does not exist', async () => {
    for (const id of [`org_${NOWHERE}`, 'x'])
      expectProblem(
        await own.admin.put(`organizations/${id}/sale-statuses`, [{ label: 'X' }]),
        404,
        'organization_not_found',
      );
  });

  it('is for operators alone', async () => {
    const { adminApi, key } = own;
    for (const headers of [{ 'x-admin-key': '' }, { 'x-admin-key': key }])
      expectProblem(await adminApi.with(headers).put('sale-statuses', [{ label: 'X' }]), 401, 'unauthorized');
  });

  it('by many at the same moment leaves the pipeline of one of them', async () => {
    const pipelines = Array.from({ length: 8 }, (_, nr) => [`A${nr}`, `B${nr}`]);
    const given = pipelines.map((names) => put(names.map((label) => ({ label }))));
    for (const answer of await Promise.all(given)) expect(answer.status).toBe(200);
    const last = await shown();
    expect(pipelines).toContainEqual(labels(last));
    expect(last.map(({ position }) => position)).toEqual([0, 1]);
  });
});

describe('a second process on the same database', () => {
  let second: Server;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = newDataDir();
    const DATABASE_URL = await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!);
    second = await startServer({ entry: 'api', dataDir, env: { DATABASE_URL } });
  });
  afterAll(async () => {
    await second.stop();
    removeDataDir(dataDir);
  });

  it('comes to know a pipeline that was replaced in the first', async () => {
    const { base, headers } = own.api;
    const there = (): Promise<Json> =>
      fetch(`${second.url}${base}/sale-statuses`, { headers }).then((answer) => answer.json());
    expect((await there()).data).toEqual(own.stages);
    const { data } = await ok(put([{ label: 'Only' }]));
    await until(async () => (await there()).data[0].label === 'Only');
    expect(await there()).toEqual({ data });
  });

  it('opens and moves the sales of the first', async () => {
    const sale = await own.open();
    const patched = await fetch(`${second.url}${own.api.base}/sales/${sale.sale_id}`, {
      method: 'PATCH',
      headers: { ...own.api.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ status_id: own.stages[1].status_id }),
    });
    expect(patched.status).toBe(200);
    expect(await own.show(sale)).toEqual(await patched.json());
  });
});
