import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import { RowReader } from '#database/statements/row-reader.js';
import { isId } from '#kernel/id.js';
import { hasExternalId } from '#event-store/external-ids.js';
import type { Page } from '#http/paging/page.dto.js';
import type { List } from '#http/paging/list.js';
import { Pages } from '#http/paging/page.js';
import { versionedRow } from '#http/versions/versioned.js';
import { TASK_FIELDS } from './task.js';
import { tasks } from './tasks.projection.js';
import type { ListTasksQuery, TaskResponse } from './tasks.dto.js';

const COLUMNS = [...TASK_FIELDS, 'updated_at'].join(', ');

const TASKS: List = {
  name: 'tasks',
  select: `SELECT ${COLUMNS} FROM task`,
  sort: 'created_at',
  id: 'task_id',
  orders: {
    due_at: { sort: 'due_at', ascending: true, where: 'completed_at IS NULL AND due_at IS NOT NULL' },
  },
};

const OVERDUE = 'completed_at IS NULL AND due_at IS NOT NULL AND due_at < now()';

/** Reads of tasks. */
@Injectable()
export class TasksQueries {
  private readonly tasks: RowReader<TaskResponse & { stream_version: number }>;

  constructor(
    database: Database,
    private readonly pages: Pages,
  ) {
    this.tasks = new RowReader(database, {
      name: 'task',
      table: 'task',
      key: 'task_id',
      columns: `${COLUMNS}, stream_version`,
    });
  }

  list(organizationId: string, query: ListTasksQuery): Promise<Page<TaskResponse>> {
    return this.pages.read(
      TASKS,
      [
        ['organization_id =', organizationId],
        ['agent_id =', query.agent_id],
        ['company_id =', query.company_id],
        ['contact_id =', query.contact_id],
        ['sale_id =', query.sale_id],
        hasExternalId(tasks.row, query.external_id),
        ['(completed_at IS NULL) =', query.open],
        ['due_at < (?)::timestamptz', query.due_before],
        ['due_at >= (?)::timestamptz', query.due_after],
        query.overdue === undefined
          ? [OVERDUE, undefined]
          : [`?::boolean AND ${query.overdue ? OVERDUE : `NOT (${OVERDUE})`}`, true],
      ],
      query,
    );
  }

  /** The tasks that link to this record. */
  async linkedTo(
    tx: Reader,
    organizationId: string,
    type: 'company' | 'contact' | 'sale',
    id: string,
  ): Promise<string[]> {
    const rows = await tx.query<{ task_id: string }>({
      name: `tasks_of_${type}`,
      text: `SELECT task_id FROM task WHERE organization_id = $1 AND ${type}_id = $2`,
      values: [organizationId, id],
    });
    return rows.map(({ task_id }) => task_id);
  }

  async task(organizationId: string, taskId: string): Promise<TaskResponse | undefined> {
    if (!isId('task', taskId)) return undefined;
    const row = await this.tasks.one(organizationId, taskId);
    return row && versionedRow(row);
  }
}
