import { ApiProperty } from '@nestjs/swagger';
import { ApiAnyValue } from '#http/input/fields.js';

export const TIMELINE_TYPES = ['message', 'draft', 'sale', 'stage', 'task', 'comment', 'change'] as const;

export class TimelineChangeResponse {
  /** @example "name" */
  field!: string;
  /** Value before; null on insert. */
  @ApiAnyValue({ example: 'Ada' })
  from!: unknown;
  /** Value after; null on delete. */
  @ApiAnyValue({ example: 'Ada Lovelace' })
  to!: unknown;
}

/** Something about a contact. Which further attributes there are depends on the type. */
export class TimelineEntryResponse {
  @ApiProperty({ enum: TIMELINE_TYPES })
  type!: (typeof TIMELINE_TYPES)[number];
  /** Of the message, draft, sale, task, comment or audit record; of a stage, that of its sale. */
  id!: string;
  /** When the message was sent, the record made, the stage entered, the change made. */
  @ApiProperty({ format: 'date-time' })
  occurred_at!: string;
  /** Of messages, of replies that are drafted, and of comments; null of a comment on another record. */
  @ApiProperty({ type: String, nullable: true })
  conversation_id?: string | null;
  /** Of messages and drafts: `email`, `text`, `call` or `live_chat`. */
  @ApiProperty({ type: String, nullable: true })
  modality?: string | null;
  /** Of messages. */
  @ApiProperty({ enum: ['received', 'sent'] })
  direction?: string;
  /** Of messages and drafts. */
  @ApiProperty({ type: String, nullable: true })
  subject?: string | null;
  /** Of messages: the beginning of the new text; of comments: the beginning of the text. */
  preview?: string;
  /** Of messages, drafts, sales, tasks and comments: the agent who sent it, owns it, is to do it, or wrote it. */
  @ApiProperty({ type: String, nullable: true })
  agent_id?: string | null;
  /** Of drafts: the status of its delivery, or `saved`. */
  status?: string;
  /** Of sales. */
  @ApiProperty({ type: String, nullable: true })
  name?: string | null;
  /** Of stages: which one was entered, as it was named then. */
  @ApiProperty({ type: String, nullable: true })
  label?: string | null;
  /** Of stages. */
  status_id?: string;
  /** Of tasks. */
  title?: string;
  /** Of tasks. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  due_at?: string | null;
  /** Of tasks; null while it is open. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at?: string | null;
  /** Of changes of the contact itself: `insert`, `update` or `delete`. */
  action_type?: string;
  /** Of changes: every attribute whose value changed. */
  changes?: TimelineChangeResponse[];
}
