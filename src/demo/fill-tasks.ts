import { newId } from '#kernel/id.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import { task, tasks } from '../tasks/tasks.contract.js';
import { type Ids, instantOf } from './ids.js';
import type { PlannedTask } from './plan-tasks.js';

const IDS_OF = { company: 'companies', contact: 'contacts', sale: 'sales' } as const;

export function taskAppend(planned: PlannedTask, ids: Ids): Append {
  const { title, notes, agent, about, due, completed } = planned;
  const task_id = newId('task');
  const linked = (kind: typeof about.kind) => (kind === about.kind ? ids[IDS_OF[kind]][about.nr]! : null);
  const created = task.decide(null, {
    type: 'CreateTask',
    task_id,
    title,
    notes,
    due_at: due === null ? null : instantOf(due),
    agent_id: ids.agents[agent]!,
    company_id: linked('company'),
    contact_id: linked('contact'),
    sale_id: linked('sale'),
    created_at: instantOf(planned.created),
  });
  const state = created.reduce(task.evolve, null);
  const changes = { completed_at: completed === null ? null : instantOf(completed) };
  return appendTo(tasks, task_id, NEW, [...created, ...task.decide(state, { type: 'UpdateTask', changes })]);
}
