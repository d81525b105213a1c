import { given } from '../../test/support/given.js';
import { task, type TaskCommand, type TaskEvent } from './task.js';

const AT = '2026-01-02T03:04:05.678901Z';
const LATER = '2026-01-02T03:04:05.678902Z';

const facts = {
  task_id: 'task_1',
  title: 'Call back',
  notes: null,
  due_at: null,
  agent_id: null,
  company_id: null,
  contact_id: null,
  sale_id: null,
  created_at: AT,
};
const created = (fields: object = {}): TaskEvent => ({ type: 'TaskCreated', data: { ...facts, ...fields } });
const completed = (completed_at: string): TaskEvent => ({ type: 'TaskCompleted', data: { completed_at } });
const reopened: TaskEvent = { type: 'TaskReopened', data: {} };
const update = (changes: Extract<TaskCommand, { type: 'UpdateTask' }>['changes']): TaskCommand => ({
  type: 'UpdateTask',
  changes,
});

const LINKS = ['company_id', 'contact_id', 'sale_id'] as const;
const PAIRS = [
  ['company_id', 'contact_id'],
  ['company_id', 'sale_id'],
  ['contact_id', 'sale_id'],
] as const;

describe('a task', () => {
  it('is open when it is created', () => {
    const state = given(task, [])
      .when({ type: 'CreateTask', ...facts })
      .thenState();
    expect(state).toMatchObject({ ...facts, completed_at: null });
  });

  it.each(LINKS)('may be linked by %s', (link) =>
    given(task, [])
      .when({ type: 'CreateTask', ...facts, [link]: 'x' })
      .then(created({ [link]: 'x' })),
  );

  it.each(PAIRS)('is refused with both %s and %s', (one, other) =>
    given(task, [])
      .when({ type: 'CreateTask', ...facts, [one]: 'x', [other]: 'y' })
      .thenThrows('too_many_links'),
  );

  it.each(PAIRS)('that has %s may not get %s as well', (one, other) =>
    given(task, [created({ [one]: 'x' })])
      .when(update({ [other]: 'y' }))
      .thenThrows('too_many_links'),
  );

  it.each(PAIRS)('may exchange %s for %s', (one, other) =>
    given(task, [created({ [one]: 'x' })])
      .when(update({ [one]: null, [other]: 'y' }))
      .then({ type: 'TaskRevised', data: { [one]: null, [other]: 'y' } }),
  );

  it('records what is changed and nothing else', () =>
    given(task, [created({ notes: 'n' })])
      .when(update({ title: 'Call back', notes: null, due_at: AT }))
      .then({ type: 'TaskRevised', data: { notes: null, due_at: AT } }));

  it('records nothing when nothing changes', () => {
    given(task, [created()]).when(update({})).then();
    given(task, [created()])
      .when(update({ title: 'Call back', notes: null, completed_at: null }))
      .then();
    given(task, [created(), completed(AT)])
      .when(update({ completed_at: AT }))
      .then();
  });
});

describe('an open task', () => {
  it('is completed by a timestamp', () =>
    given(task, [created()])
      .when(update({ completed_at: LATER }))
      .then(completed(LATER)));

  it('is revised and completed by one command', () =>
    given(task, [created()])
      .when(update({ title: 'Done', completed_at: AT }))
      .then({ type: 'TaskRevised', data: { title: 'Done' } }, completed(AT)));
});

describe('a completed task', () => {
  it('is reopened by null', () => {
    const events = [created(), completed(AT)];
    given(task, events)
      .when(update({ completed_at: null }))
      .then(reopened);
    expect(given(task, [...events, reopened]).state?.completed_at).toBeNull();
  });

  it('may be completed at another instant', () =>
    given(task, [created(), completed(AT)])
      .when(update({ completed_at: LATER }))
      .then(completed(LATER)));

  it('stays completed when it is revised', () =>
    expect(
      given(task, [created(), completed(AT)])
        .when(update({ title: 'Other' }))
        .thenState()?.completed_at,
    ).toBe(AT));
});
