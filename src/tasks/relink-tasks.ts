import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RecordLinks } from '#event-store/record-links.js';
import { LINKED } from './task-links.js';
import { task } from './task.js';
import { tasks } from './tasks.projection.js';
import { TasksQueries } from './tasks.queries.js';

/** Tells of the links that tasks hold, for whoever ends a record. */
@Injectable()
export class RelinkTasks implements OnModuleInit {
  constructor(
    private readonly links: RecordLinks,
    private readonly queries: TasksQueries,
  ) {}

  onModuleInit(): void {
    this.links.add({
      aggregate: tasks,
      linkedTo: (tx, organizationId, { type, id }) =>
        isLinked(type) ? this.queries.linkedTo(tx, organizationId, type, id) : Promise.resolve([]),
      relink: (state, { type }, to) =>
        task.decide(state, { type: 'UpdateTask', changes: { [`${type}_id`]: to } }),
    });
  }
}

const isLinked = (type: string): type is (typeof LINKED)[number] =>
  (LINKED as readonly string[]).includes(type);
