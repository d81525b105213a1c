import { ApiProperty } from '@nestjs/swagger';
import { IdListField, LONG, NonEmptyText, Optional } from '#http/input/fields.js';
import { COMMENTED, type Commented } from './comment.js';

const MOST_MENTIONED = 100;

export class CommentedRecordResponse {
  @ApiProperty({ enum: COMMENTED, example: 'conversation' })
  type!: Commented;
  /** @example "conv_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  id!: string;
}

/** A note among colleagues, which never leaves the organization. */
export class CommentResponse {
  /** @example "comment_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  comment_id!: string;
  /** What it is about. */
  record!: CommentedRecordResponse;
  /** Who wrote it; null where the key was no agent's. */
  @ApiProperty({ type: String, nullable: true })
  agent_id!: string | null;
  /** Plain text. @example "She asked for the same discount last year." */
  body!: string;
  /** Agents whom it is meant for. */
  mentioned_agent_ids!: string[];
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
  /** When it was last edited; null where it never was. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  edited_at!: string | null;
}

export class AddCommentBody {
  /** Plain text. @example "She asked for the same discount last year." */
  @NonEmptyText(LONG)
  body!: string;
  /** Agents to mention, each once. Those with an address are told by e-mail that they are mentioned; the text is not in that mail. */
  @Optional()
  @IdListField('agent', MOST_MENTIONED)
  mentioned_agent_ids?: string[];
}

/** Fields left out stay as they are. */
export class ChangeCommentBody {
  /** Plain text. @example "She asked for the same discount last year." */
  @Optional()
  @NonEmptyText(LONG)
  body?: string;
  /** Agents to mention, each once, in place of those before. Who was not mentioned before is told by e-mail. */
  @Optional()
  @IdListField('agent', MOST_MENTIONED)
  mentioned_agent_ids?: string[];
}
