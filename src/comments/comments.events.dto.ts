import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { CommentResponse } from './comments.dto.js';

// The data of public events. Schemas are named after these classes.

export class CommentAddedData extends OmitType(CommentResponse, ['edited_at'] as const) {}

/** Only the fields that changed, and when. */
export class CommentChangedData {
  /** Plain text. */
  body?: string;
  /** Agents whom it is meant for. */
  mentioned_agent_ids?: string[];
  /** When it was edited. */
  @ApiProperty({ format: 'date-time' })
  edited_at!: string;
}

/** Where it is from now on. */
export class CommentMovedData extends PickType(CommentResponse, ['record'] as const) {}

export class CommentDeletedData {}
