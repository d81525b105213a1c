import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#database/database.js';
import { Timelines } from '../crm/crm.contract.js';

/** Adds the tasks of a contact to the timeline. */
@Injectable()
export class TasksTimeline implements OnModuleInit {
  constructor(
    private readonly timelines: Timelines,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.timelines.add((organizationId, contactId, { at, key }, limit) =>
      this.database.query({
        name: 'timeline_tasks',
        text: `SELECT 'task' AS type, task_id AS id, created_at AS occurred_at, title, due_at, completed_at, agent_id,
                      'task ' || task_id AS key
                 FROM task
                WHERE organization_id = $1 AND contact_id = $2
                  AND created_at <= $3::timestamptz AND (created_at, 'task ' || task_id) < ($3::timestamptz, $4)
                ORDER BY created_at DESC, task_id DESC LIMIT $5`,
        values: [organizationId, contactId, at, key, limit],
      }),
    );
  }
}
