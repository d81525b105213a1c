import fc from 'fast-check';
import { fold } from '#event-store/aggregate.js';
import { eventsOf } from '../../test/support/database/events.js';
import {
  type Handlers,
  handlersOn,
  OpenSale,
  type Universe,
  universeOf,
} from '../../test/support/database/handlers.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { cases } from '../../test/support/random.js';
import type { TaskResponse, UpdateTaskBody } from './tasks.dto.js';
import { shownTask } from './create-task.js';
import { tasks } from './tasks.projection.js';
import { CreateTask } from './create-task.js';
import { UpdateTask } from './update-task.js';

let test: TestDatabase;
let handlers: Handlers;
let universe: Universe;
let links: Record<'agent_id' | 'company_id' | 'contact_id' | 'sale_id', string[]>;

beforeAll(async () => {
  test = await testDatabase();
  handlers = handlersOn(test.database);
  universe = await universeOf(handlers);
  const { context, stages, companies, contacts, agents } = universe;
  const body = { status_id: stages[0]!, company_id: companies[0]! };
  const { sale_id } = await handlers.openSale.execute(new OpenSale(context, body));
  links = { agent_id: agents, company_id: companies, contact_id: contacts, sale_id: [sale_id] };
});

afterAll(() => test.close());

const LINKS = ['company_id', 'contact_id', 'sale_id'] as const;
const NOWHERE = 'task_01hzy3v7q4e8k9m2n5p6r7s8t9';

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 1 });
const id = (field: keyof typeof links) =>
  maybe(fc.nat(9).map((nr) => (nr === 9 ? NOWHERE : links[field][nr % links[field].length]!)));
const instant = fc.constantFrom('2026-01-02T03:04:05.678901Z', '2026-01-03T00:00:00.000001Z');

const details = {
  title: fc.constantFrom('Call', 'Write'),
  notes: maybe(fc.constantFrom('', 'n')),
  due_at: maybe(instant),
  agent_id: id('agent_id'),
  company_id: id('company_id'),
  contact_id: id('contact_id'),
  sale_id: id('sale_id'),
};
const creation = fc.record(details, { requiredKeys: ['title'] });
const change = fc.record({ ...details, completed_at: maybe(instant) }, { requiredKeys: [] });

type Model = Omit<TaskResponse, 'task_id' | 'created_at' | 'updated_at'>;

const NOTHING: Model = {
  title: '',
  notes: null,
  due_at: null,
  completed_at: null,
  agent_id: null,
  company_id: null,
  contact_id: null,
  sale_id: null,
  external_id: null,
  metadata: {},
};

/** The codes of every rule that the body breaks. */
const broken = (body: UpdateTaskBody, after: Model): string[] => [
  ...(Object.values(body).includes(NOWHERE) ? ['validation_failed'] : []),
  ...(LINKS.filter((link) => after[link] !== null).length > 1 ? ['too_many_links'] : []),
];

const outcome = (work: Promise<TaskResponse>): Promise<TaskResponse | string> =>
  work.catch((error: { code?: string }) => {
    if (error.code === undefined) throw error;
    return error.code;
  });

/** The task as it is read back; row and events must say the same. */
async function readBack(taskId: string): Promise<TaskResponse> {
  const { organizationId } = universe.context;
  const shown = await handlers.tasks.task(organizationId, taskId);
  const events = await eventsOf(test.database, organizationId, taskId);
  const { state, version } = await handlers.store.load(test.database, organizationId, tasks, taskId);
  expect(version).toBe(events.length);
  expect(state).toEqual(fold(tasks, events));
  expect(shown).toEqual(shownTask(state!));
  return shown!;
}

it('a task is what the contract says after any commands: answer, row and events alike', async () => {
  const { context } = universe;
  await fc.assert(
    fc.asyncProperty(creation, fc.array(change, { minLength: 1, maxLength: 10 }), async (first, changes) => {
      let model: Model = { ...NOTHING, ...first };
      const refusals = broken(first, model);
      const created = await outcome(handlers.createTask.execute(new CreateTask(context, first)));
      if (typeof created === 'string') return expect(refusals).toContain(created);
      expect(refusals).toEqual([]);
      const { task_id, created_at } = created;
      expect(created).toMatchObject({ ...model, task_id, created_at });
      expect(await readBack(task_id)).toEqual(created);

      for (const body of changes) {
        const wanted = { ...model, ...body };
        const codes = broken(body, wanted);
        const answer = await outcome(handlers.updateTask.execute(new UpdateTask(context, task_id, body)));
        const shown = await readBack(task_id);
        if (typeof answer === 'string') expect(codes).toContain(answer);
        else {
          expect(codes).toEqual([]);
          expect(answer).toEqual(shown);
          model = wanted;
        }
        expect(shown).toMatchObject({ ...model, task_id, created_at });
      }
    }),
    { seed: 20_260_102, numRuns: cases(150), endOnFailure: true },
  );
});
