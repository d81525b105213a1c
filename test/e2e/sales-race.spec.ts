import { auditOf, changesOf } from '../support/clients/audit.js';
import { type Answer, apiOf, type Client, type Json, ok } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';

const MANY = 50;
const ROUNDS = 20;

let own: SalesWorkspace;
let second: Server;
let dataDir: string;
/** The same organization by two processes. */
let doors: Client[];
let stageIds: string[];

beforeAll(async () => {
  own = await salesWorkspace();
  const names = Array.from({ length: MANY + 1 }, (_, nr) => `Stage ${nr}`);
  const { data } = await ok(
    own.adminApi.put(
      'sale-statuses',
      names.map((label) => ({ label })),
    ),
  );
  stageIds = data.map(({ status_id }: Json) => status_id);
  for (let nr = 0; nr < MANY; nr++)
    await ok(own.adminApi.post('custom-fields/sales', { label: `Field ${nr}`, type: 'number' }));
  dataDir = newDataDir();
  const DATABASE_URL = await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!);
  second = await startServer({ entry: 'api', dataDir, env: { DATABASE_URL } });
  doors = [own.api, apiOf(own.organizationId, own.key, second.url)];
});

afterAll(async () => {
  await second.stop();
  removeDataDir(dataDir);
});

const idsOf = (sale: Json): string[] => sale.status_history.map(({ status_id }: Json) => status_id);

/** Sends all at the same moment, by both processes in turn. */
const allAtOnce = ({ sale_id }: Json, bodies: object[]): Promise<Answer[]> =>
  Promise.all(bodies.map((body, nr) => doors[nr % doors.length]!.patch(`sales/${sale_id}`, body)));

/** The history is that of a serial order: in order, each instant once, and no stage entered again once it was left. */
function expectSerial(sale: Json, answers: Answer[]): void {
  const instants = sale.status_history.map(({ changed_at }: Json) => changed_at);
  expect(instants).toEqual([...new Set(instants)].toSorted());
  const visits = idsOf(sale).filter((id, nr, all) => id !== all[nr - 1]);
  expect(visits).toEqual([...new Set(visits)]);
  for (const { body } of answers.filter(({ status }) => status === 200))
    expect(idsOf(body)).toEqual(idsOf(sale).slice(0, body.status_history.length));
}

/** The audit log has each step from what was there to what came next. */
async function expectAudited(sale: Json): Promise<void> {
  let current: Json = null;
  for (const record of await auditOf(own, sale.sale_id)) {
    const changed = changesOf(record)['current_status'];
    if (changed === undefined) continue;
    expect(changed[0]).toEqual(current);
    current = changed[1];
  }
  expect(current).toEqual(sale.current_status);
}

describe('many changes of one sale at the same moment, by two processes,', () => {
  it('are all kept when each names another field and another stage', async () => {
    const opened = await own.open({ status_id: stageIds[0] });
    const bodies = Array.from({ length: MANY }, (_, nr) => [
      { custom_fields: { [`field_${nr}`]: nr } },
      { status_id: stageIds[nr + 1] },
    ]).flat();
    const answers = await allAtOnce(opened, bodies);
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    const sale = await own.show(opened);
    expect(sale.custom_fields).toEqual(
      Object.fromEntries(Array.from({ length: MANY }, (_, nr) => [`field_${nr}`, nr])),
    );
    expect(idsOf(sale).toSorted()).toEqual(stageIds.toSorted());
    expect(sale.current_status).toEqual(sale.status_history.at(-1));
    expectSerial(sale, answers);
    await expectAudited(sale);
  });

  it('make a history of exactly the accepted ones when they contend for a few stages', async () => {
    const few = stageIds.slice(0, 5);
    const opened = await own.open({ status_id: few[0] });
    const bodies = Array.from({ length: MANY }, (_, nr) => ({ status_id: few[nr % few.length] }));
    const answers = await allAtOnce(opened, bodies);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [400, 'stage_already_used']),
    );
    const accepted = bodies.filter((_, nr) => answers[nr]!.status === 200).map(({ status_id }) => status_id!);
    const sale = await own.show(opened);
    expect(idsOf(sale).slice(1).toSorted()).toEqual(accepted.toSorted());
    expectSerial(sale, answers);
    await expectAudited(sale);
  });

  it('leave it a company or a contact when each takes one of them away', async () => {
    for (let round = 0; round < 10; round++) {
      const sale = await own.open({
        status_id: stageIds[0],
        associated_contacts: [{ contact_id: own.contactIds[0] }],
      });
      const answers = await allAtOnce(sale, [{ company_id: null }, { associated_contacts: null }]);
      expect(answers.map(({ status, body }) => body.code ?? status).toSorted()).toEqual([
        200,
        'no_linked_party',
      ]);
    }
  });

  it('move its activity once for each message in its conversation meanwhile', async () => {
    const sale = await own.open({ status_id: stageIds[0], conversation_ids: [own.conversationId] });
    const message = { modality: 'email', message_direction: 'received', content: 'x' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nr) => [
        doors[nr % 2]!.post('messages', { ...message, conversation_id: own.conversationId }),
        doors[nr % 2]!.patch(`sales/${sale.sale_id}`, { custom_fields: { field_0: nr } }),
      ]).flat(),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => [201, 200]).flat());
    const [, ...records] = await auditOf(own, sale.sale_id);
    const steps = records.map((record) => changesOf(record)['last_activity_at']!);
    expect(steps).toHaveLength(40);
    expect(steps.map(([from]) => from)).toEqual([
      sale.last_activity_at,
      ...steps.slice(0, -1).map(([, to]) => to),
    ]);
    expect((await own.show(sale)).last_activity_at).toBe(steps.at(-1)![1]);
  });
});

it('a stage is either dropped or entered when both are asked for at the same moment', async () => {
  const outcomes = new Set<string>();
  const moved = await own.open({ status_id: stageIds[0] });
  const stageOf = ({ status_id, label }: Json) => ({ status_id, label });
  const kept: Json[] = (await ok(own.api.get('sale-statuses'))).data.map(stageOf);
  for (let round = 0; round < ROUNDS; round++) {
    const { data } = await ok(own.adminApi.put('sale-statuses', [...kept, { label: `Brief ${round}` }]));
    const { status_id } = data.at(-1);
    const enter = (door: Client) => [
      door.post('sales', { status_id, company_id: moved.company_id }),
      door.patch(`sales/${moved.sale_id}`, { status_id }),
    ];
    const [dropped, ...entered] = await Promise.all([
      own.adminApi.put('sale-statuses', kept),
      ...doors.flatMap(enter),
    ]);
    const wasEntered = entered.some(({ status }) => status < 300);
    outcomes.add(`${dropped.status} ${wasEntered}`);
    for (const answer of entered.filter(({ status }) => status >= 300))
      expectProblem(answer, 400, 'validation_failed', 'status_id');
    if (wasEntered) kept.push(stageOf(data.at(-1)));
  }
  expect([...outcomes].filter((outcome) => outcome !== '200 false' && outcome !== '400 true')).toEqual([]);
});
