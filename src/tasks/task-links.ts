import { Injectable } from '@nestjs/common';
import { unknownId } from '#kernel/decider.js';
import { required, type Required } from '#event-store/required.js';
import { Directory } from '../workspace/workspace.contract.js';
import type { UpdateTaskBody } from './tasks.dto.js';

/** What a task can link to. */
export const LINKED = ['company', 'contact', 'sale'] as const;

/** Checks the ids in a task's body. Unknown ones are `validation_failed`, naming the field. */
@Injectable()
export class TaskLinks {
  constructor(private readonly directory: Directory) {}

  /** Refuses an unknown agent; gives the records that must exist for the other links. */
  async read(organizationId: string, body: Omit<UpdateTaskBody, 'title'>): Promise<Required[]> {
    await this.directory.requireAgent(organizationId, body.agent_id);
    return LINKED.flatMap((what) => {
      const id = body[`${what}_id`];
      return id == null ? [] : [required(what, id, () => unknownId(`${what}_id`, what, id))];
    });
  }
}
