import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { TaskResponse } from './tasks.dto.js';

// The data of public events. Schemas are named after these classes.

export class TaskCreatedData extends OmitType(TaskResponse, ['completed_at', 'updated_at'] as const) {}

/** What changed; fields left out stayed as they were. */
export class TaskRevisedData extends PartialType(
  OmitType(TaskResponse, ['task_id', 'completed_at', 'created_at', 'updated_at'] as const),
) {}

export class TaskCompletedData {
  @ApiProperty({ format: 'date-time' })
  completed_at!: string;
}

export class TaskReopenedData {}

export class TaskDeletedData {}
