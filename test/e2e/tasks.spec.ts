import { type Json, ok, type Query } from '../support/clients/client.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';

const NOWHERE = '01hzy3v7q4e8k9m2n5p6r7s8t9';

let own: SalesWorkspace;
let links: Record<string, string>;
beforeAll(async () => {
  own = await salesWorkspace();
  const { sale_id } = await own.open();
  links = { company_id: own.companyId, contact_id: own.contactIds[0]!, sale_id };
});

const post = (body: object) => own.api.post('tasks', { title: 'Call back', ...body });
const create = (body: object = {}): Promise<Json> => ok(post(body));
const show = ({ task_id }: Json): Promise<Json> => ok(own.api.get(`tasks/${task_id}`));
const send = ({ task_id }: Json, body: object) => own.api.patch(`tasks/${task_id}`, body);
const patch = (task: Json, body: object): Promise<Json> => ok(send(task, body));

/** A change has an instant of its own. */
const STAMPED = { updated_at: expect.stringMatching(INSTANT) };

const LINKS = ['company_id', 'contact_id', 'sale_id'] as const;
const PAIRS = LINKS.flatMap((one) =>
  LINKS.filter((other) => other !== one).map((other) => [one, other] as const),
);

describe('creating a task', () => {
  it('answers 201 with every documented field, identical to getting it', async () => {
    const answer = await post({});
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      task_id: expect.stringMatching(/^task_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      title: 'Call back',
      notes: null,
      due_at: null,
      completed_at: null,
      agent_id: null,
      company_id: null,
      contact_id: null,
      sale_id: null,
      created_at: expect.stringMatching(INSTANT),
      updated_at: expect.stringMatching(INSTANT),
      external_id: null,
      metadata: {},
    });
    expect(await show(answer.body)).toEqual(answer.body);
  });

  it('takes every field, null as well as a value', async () => {
    const due_at = '2026-01-02T03:04:05.678901Z';
    const full = { notes: 'n', due_at, agent_id: own.agentId, sale_id: links['sale_id'] };
    expect(await create(full)).toMatchObject({ ...full, company_id: null, contact_id: null });
    const blank = {
      notes: null,
      due_at: null,
      agent_id: null,
      company_id: null,
      contact_id: null,
      sale_id: null,
    };
    expect(await create(blank)).toMatchObject(blank);
  });

  it('normalises due_at to UTC and keeps its microseconds', async () => {
    const { due_at } = await create({ due_at: '2026-01-02T03:04:05.678901+02:00' });
    expect(due_at).toBe('2026-01-02T01:04:05.678901Z');
  });

  it('takes notes of 1,000,000 characters and a title of 1,000', async () => {
    const [notes, title] = ['n'.repeat(1_000_000), 't'.repeat(1_000)];
    const task = await create({ notes, title });
    expect([task.notes === notes, task.title === title]).toEqual([true, true]);
  });

  it.each(LINKS)('may link it by %s', async (link) => {
    expect(await create({ [link]: links[link] })).toMatchObject({ [link]: links[link] });
  });

  it.each(PAIRS)('refuses %s together with %s', async (one, other) => {
    expectProblem(await post({ [one]: links[one], [other]: links[other] }), 400, 'too_many_links');
  });

  it('refuses all three links', async () => {
    expectProblem(await post(links), 400, 'too_many_links');
  });

  it.each(['agent_id', ...LINKS])(
    'refuses a %s that does not exist, is of the wrong type or malformed with 400',
    async (field) => {
      for (const id of [`${field.replace(/_id$/, '')}_${NOWHERE}`, own.organizationId, '', 'x', '%'])
        expectProblem(await post({ [field]: id }), 400, 'validation_failed', field);
    },
  );

  it.each<[string, unknown[]]>([
    ['title', [undefined, null, '', ' ', 1, {}, [], true, 'x'.repeat(1_001)]],
    ['notes', [1, {}, [], 'x'.repeat(1_000_001)]],
    ['due_at', ['2026-01-02', 'tomorrow', '', 1, {}, '2026-02-30T00:00:00Z', '2026-01-02T03:04:05.1234567Z']],
    ['agent_id', [1, {}, []]],
    ['company_id', [1, {}, []]],
    ['contact_id', [1, {}, []]],
    ['sale_id', [1, {}, []]],
    ['completed_at', [null, '2026-01-02T03:04:05Z']],
    ['task_id', ['x']],
    ['created_at', ['2026-01-02T03:04:05Z']],
  ])('refuses a wrong %s with 400', async (field, values) => {
    for (const value of values)
      expectProblem(await post({ [field]: value }), 400, 'validation_failed', field);
  });
});

describe('a task that does not exist', () => {
  it.each([`task_${NOWHERE}`, 'x', `sale_${NOWHERE}`, 'task_'])('is not found: %s', async (id) => {
    expectProblem(await own.api.get(`tasks/${id}`), 404, 'task_not_found');
    expectProblem(await own.api.patch(`tasks/${id}`, { title: 'X' }), 404, 'task_not_found');
  });
});

describe('changing a task', () => {
  it('leaves the fields that are left out as they are', async () => {
    const task = await create({ notes: 'n', due_at: '2026-01-02T03:04:05Z', agent_id: own.agentId });
    expect(await patch(task, { title: 'Other' })).toEqual({ ...task, ...STAMPED, title: 'Other' });
    expect(await patch(task, {})).toEqual({ ...task, ...STAMPED, title: 'Other' });
    expect(await show(task)).toEqual({ ...task, ...STAMPED, title: 'Other' });
  });

  it.each(['notes', 'due_at', 'agent_id', ...LINKS])('clears %s by null', async (field) => {
    const values: Json = { ...links, notes: 'n', due_at: '2026-01-02T03:04:05Z', agent_id: own.agentId };
    const task = await create({ [field]: values[field] });
    expect(task[field]).not.toBeNull();
    expect(await patch(task, { [field]: null })).toEqual({ ...task, ...STAMPED, [field]: null });
    expect(await show(task)).toEqual({ ...task, ...STAMPED, [field]: null });
  });

  it('does not clear the title', async () => {
    const task = await create();
    for (const title of [null, '', ' '])
      expectProblem(await send(task, { title }), 400, 'validation_failed', 'title');
  });

  it.each(PAIRS)('refuses to a task with %s a %s as well, and then changes nothing', async (one, other) => {
    const task = await create({ [one]: links[one] });
    expectProblem(await send(task, { [other]: links[other], title: 'X' }), 400, 'too_many_links');
    expect(await show(task)).toEqual(task);
  });

  it.each(PAIRS)('may exchange %s for %s', async (one, other) => {
    const task = await create({ [one]: links[one] });
    const changes = { [one]: null, [other]: links[other] };
    expect(await patch(task, changes)).toEqual({ ...task, ...STAMPED, ...changes });
  });

  it.each(['agent_id', ...LINKS])(
    'refuses an unknown %s with 400, and then changes nothing',
    async (field) => {
      const task = await create({ notes: 'n' });
      for (const id of [`${field.replace(/_id$/, '')}_${NOWHERE}`, '', 'x'])
        expectProblem(await send(task, { [field]: id, notes: null }), 400, 'validation_failed', field);
      expect(await show(task)).toEqual(task);
    },
  );

  it.each<[string, unknown]>([
    ['completed_at', '2026-01-02'],
    ['completed_at', true],
    ['completed_at', ''],
    ['due_at', '2026-01-02T03:04:05'],
    ['notes', 1],
    ['created_at', '2026-01-02T03:04:05Z'],
    ['open', true],
  ])('refuses %s %j with 400', async (field, value) => {
    const task = await create();
    expectProblem(await send(task, { [field]: value }), 400, 'validation_failed', field);
    expect(await show(task)).toEqual(task);
  });

  it('keeps every change when many change it at the same moment', async () => {
    const task = await create();
    const changes = {
      title: 'T',
      notes: 'n',
      due_at: '2026-01-02T03:04:05.000001Z',
      agent_id: own.agentId,
      company_id: own.companyId,
    };
    await Promise.all(Object.entries(changes).map(([field, value]) => patch(task, { [field]: value })));
    expect(await show(task)).toEqual({ ...task, ...STAMPED, ...changes });
  });

  it('lets one of many links win that come at the same moment', async () => {
    const task = await create();
    const answers = await Promise.all(LINKS.map((link) => send(task, { [link]: links[link] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const shown = await show(task);
    expect(LINKS.filter((link) => shown[link] !== null)).toHaveLength(1);
  });
});

describe('completing a task', () => {
  it('by a timestamp, which is kept to the microsecond', async () => {
    const task = await create();
    const done = await patch(task, { completed_at: '2026-01-02T03:04:05.678901-01:00' });
    expect(done).toEqual({ ...task, ...STAMPED, completed_at: '2026-01-02T04:04:05.678901Z' });
    expect(await show(task)).toEqual(done);
  });

  it('again moves the timestamp', async () => {
    const task = await create();
    await patch(task, { completed_at: '2026-01-02T03:04:05Z' });
    expect((await patch(task, { completed_at: '2026-01-03T03:04:05Z' })).completed_at).toBe(
      '2026-01-03T03:04:05.000000Z',
    );
  });

  it('is taken back by null, which reopens it', async () => {
    const task = await create();
    await patch(task, { completed_at: '2026-01-02T03:04:05Z' });
    expect(await patch(task, { completed_at: null })).toEqual({ ...task, ...STAMPED });
    expect(await patch(task, { completed_at: null })).toEqual({ ...task, ...STAMPED });
  });

  it('is not taken back by another change', async () => {
    const task = await create();
    const { completed_at } = await patch(task, { completed_at: '2026-01-02T03:04:05Z' });
    expect((await patch(task, { title: 'X' })).completed_at).toBe(completed_at);
  });
});

describe('the list of tasks', () => {
  let lists: SalesWorkspace;
  let tasks: Json[];
  beforeAll(async () => {
    lists = await salesWorkspace();
    const { sale_id } = await lists.open();
    const of = {
      company_id: lists.companyId,
      contact_id: lists.contactIds[0],
      sale_id,
      agent_id: lists.agentId,
    };
    tasks = [];
    for (const body of [
      { company_id: of.company_id, agent_id: of.agent_id },
      { contact_id: of.contact_id },
      { sale_id, agent_id: of.agent_id },
      {},
    ])
      tasks.push(await ok(lists.api.post('tasks', { title: 'X', ...body })));
    tasks[2] = await ok(
      lists.api.patch(`tasks/${tasks[2].task_id}`, { completed_at: '2026-01-02T03:04:05Z' }),
    );
  });
  const list = async (query?: Query): Promise<Json[]> => (await ok(lists.api.get('tasks', query))).data;
  const at = (...indexes: number[]) => indexes.map((index) => tasks[index]);

  it('has the newest first, as they are shown alone, whatever was changed since', async () => {
    await ok(lists.api.patch(`tasks/${tasks[0].task_id}`, { notes: 'late' }));
    tasks[0] = await ok(lists.api.get(`tasks/${tasks[0].task_id}`));
    const answer = await ok(lists.api.get('tasks'));
    expect(answer).toEqual({
      data: at(3, 2, 1, 0),
      pagination: { limit: 50, cursor: null, next_cursor: null, has_more: false },
    });
  });

  it('is filtered by agent, company, contact, sale and whether they are open, alone and together', async () => {
    const [{ company_id }, { contact_id }, { sale_id }] = tasks as [Json, Json, Json];
    expect(await list({ agent_id: lists.agentId })).toEqual(at(2, 0));
    expect(await list({ company_id })).toEqual(at(0));
    expect(await list({ contact_id })).toEqual(at(1));
    expect(await list({ sale_id })).toEqual(at(2));
    expect(await list({ open: true })).toEqual(at(3, 1, 0));
    expect(await list({ open: false })).toEqual(at(2));
    expect(await list({ open: true, agent_id: lists.agentId })).toEqual(at(0));
    expect(await list({ open: true, sale_id })).toEqual([]);
    expect(await list({ company_id, sale_id })).toEqual([]);
  });

  it('follows a task that is completed and reopened', async () => {
    const [first] = tasks;
    const change = (completed_at: string | null) =>
      ok(lists.api.patch(`tasks/${first.task_id}`, { completed_at }));
    await change('2026-01-02T03:04:05Z');
    expect((await list({ open: false })).map(({ task_id }) => task_id)).toContain(first.task_id);
    await change(null);
    expect(await list({ open: true })).toContainEqual({ ...first, ...STAMPED });
  });

  it.each(['agent_id', ...LINKS])('is empty for an unknown %s', async (name) => {
    for (const id of ['x', '', own.agentId, own.companyId]) expect(await list({ [name]: id })).toEqual([]);
  });

  it.each(['', 'yes', '1', 'TRUE', 'null'])('refuses open=%s', async (open) => {
    expectProblem(await lists.api.get('tasks', { open }), 400, 'validation_failed', 'open');
  });

  it.each(['start', 'status', 'completed', 'due_at'])('refuses the unknown filter %s', async (name) => {
    expectProblem(
      await lists.api.get('tasks', { [name]: '2026-01-02T03:04:05Z' }),
      400,
      'validation_failed',
      name,
    );
  });
});

it('a read-only key may not write tasks', async () => {
  const task = await create();
  const { api_key } = await ok(
    own.admin.post('api-keys', { name: 'R', organization_ids: [own.organizationId], read_only: true }),
  );
  const readOnly = own.api.with({ 'x-api-key': api_key });
  expect(await ok(readOnly.get(`tasks/${task.task_id}`))).toEqual(task);
  expectProblem(await readOnly.post('tasks', {}), 403, 'read_only_key');
  expectProblem(await readOnly.patch(`tasks/${task.task_id}`, {}), 403, 'read_only_key');
});
