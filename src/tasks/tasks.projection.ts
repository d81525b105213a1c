import type { Aggregate } from '#event-store/aggregate.js';
import { externalIdRows, externalIdTable } from '#event-store/external-ids.js';
import { task, type Task, type TaskEvent } from './task.js';

export const tasks: Aggregate<Task, TaskEvent> = {
  streamType: 'task',
  evolve: task.evolve,
  row: {
    table: 'task',
    key: 'task_id',
    stamped: true,
    columns: [
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
      'merged_external_ids',
    ],
  },
  alsoTables: [externalIdTable('task')],
  also: (organizationId, changes) => externalIdRows(tasks.row, organizationId, changes),
};
