import { type Decider, RuleViolation } from '#kernel/decider.js';
import {
  changedReference,
  type ExternalReference,
  NO_REFERENCE,
  type ReferenceChanges,
} from '#kernel/external-reference.js';
import type { Instant } from '#kernel/instant.js';

/** What a task is about; at most one link. */
interface Details {
  title: string;
  notes: string | null;
  due_at: Instant | null;
  agent_id: string | null;
  company_id: string | null;
  contact_id: string | null;
  sale_id: string | null;
}

export interface Task extends Details, ExternalReference {
  task_id: string;
  /** Null while the task is open. */
  completed_at: Instant | null;
  created_at: Instant;
  /** None: tasks are not merged. */
  merged_external_ids: string[];
}

/** The fields that the contract shows, in its order. */
export const TASK_FIELDS = [
  'task_id',
  'title',
  'notes',
  'due_at',
  'completed_at',
  'agent_id',
  'company_id',
  'contact_id',
  'sale_id',
  'created_at',
  'external_id',
  'metadata',
] as const;

type Created = Details & Partial<ExternalReference> & Pick<Task, 'task_id' | 'created_at'>;
type Revision = Partial<Details> & ReferenceChanges;

export type TaskEvent =
  | { type: 'TaskCreated'; data: Created }
  | { type: 'TaskRevised'; data: Partial<Details & ExternalReference> }
  | { type: 'TaskCompleted'; data: { completed_at: Instant } }
  | { type: 'TaskReopened'; data: object }
  | { type: 'TaskDeleted'; data: object };

export type TaskCommand =
  | ({ type: 'CreateTask' } & Created)
  /** Fields left out stay; `completed_at` completes, or with null reopens. */
  | { type: 'UpdateTask'; changes: Revision & Partial<Pick<Task, 'completed_at'>> };

export const task: Decider<Task, TaskCommand, TaskEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'CreateTask': {
        const { type: _, ...data } = command;
        requireOneLink(data);
        return [{ type: 'TaskCreated', data }];
      }
      case 'UpdateTask': {
        if (!state) return [];
        const { completed_at, ...details } = command.changes;
        return [...revise(state, details), ...complete(state, completed_at)];
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'TaskCreated':
        return { merged_external_ids: [], ...NO_REFERENCE, ...event.data, completed_at: null };
      case 'TaskRevised':
        return state && { ...state, ...event.data };
      case 'TaskCompleted':
        return state && { ...state, completed_at: event.data.completed_at };
      case 'TaskReopened':
        return state && { ...state, completed_at: null };
      case 'TaskDeleted':
        return null;
    }
  },
};

function revise(state: Task, { external_id, metadata, ...details }: Revision): TaskEvent[] {
  requireOneLink({ ...state, ...details });
  const changed = Object.entries(details).filter(([field, value]) => value !== state[field as keyof Details]);
  const data = { ...Object.fromEntries(changed), ...changedReference(state, { external_id, metadata }) };
  return Object.keys(data).length > 0 ? [{ type: 'TaskRevised', data }] : [];
}

function complete(state: Task, completed_at: Instant | null | undefined): TaskEvent[] {
  if (completed_at === undefined || completed_at === state.completed_at) return [];
  return completed_at === null
    ? [{ type: 'TaskReopened', data: {} }]
    : [{ type: 'TaskCompleted', data: { completed_at } }];
}

function requireOneLink({ company_id, contact_id, sale_id }: Details): void {
  if ([company_id, contact_id, sale_id].filter((id) => id !== null).length > 1)
    throw new RuleViolation(
      'too_many_links',
      'A task links to at most one of company_id, contact_id and sale_id.',
    );
}
