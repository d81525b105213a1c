import { ApiProperty } from '@nestjs/swagger';
import { ACTOR_TYPES } from '#kernel/context.js';
import { DatedPageQuery } from '#http/paging/page.dto.js';
import { ApiAnyValue, OneOf, Optional, Text } from '#http/input/fields.js';
import { ACTION_TYPES, RECORD_TYPES } from './audit-record.js';

export class AuditedRecordResponse {
  @ApiProperty({ enum: RECORD_TYPES })
  type!: string;
  @ApiProperty({ type: String, nullable: true })
  id!: string | null;
}

export class AuditChangeResponse {
  /** @example "is_read" */
  field!: string;
  /** Value before; null on insert. */
  @ApiAnyValue({ example: false })
  from!: unknown;
  /** Value after; null on delete. */
  @ApiAnyValue({ example: true })
  to!: unknown;
}

export class AuditActorResponse {
  @ApiProperty({ enum: ACTOR_TYPES })
  type!: string;
  @ApiProperty({ type: String, nullable: true })
  id!: string | null;
}

export class AuditLogResponse {
  /** @example "audit_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  audit_log_id!: string;
  @ApiProperty({ format: 'date-time' })
  occurred_at!: string;
  /** The acting agent; null for providers and Parley itself. */
  @ApiProperty({ type: String, nullable: true })
  agent_id!: string | null;
  @ApiProperty({ enum: ACTION_TYPES })
  action_type!: string;
  record!: AuditedRecordResponse;
  /** Every documented field whose value changed. */
  changes!: AuditChangeResponse[];
  actor!: AuditActorResponse;
  @ApiProperty({ type: String, nullable: true })
  request_id!: string | null;
  /** The event it was made from. */
  event_id!: string;
}

export class ListAuditLogsQuery extends DatedPageQuery {
  /** Only changes made by this agent. */
  @Optional()
  @Text()
  agent_id?: string;
  @Optional()
  @OneOf(...RECORD_TYPES)
  record_type?: string;
  @Optional()
  @OneOf(...ACTION_TYPES)
  action_type?: string;
  /** Only changes of this record. */
  @Optional()
  @Text()
  record_id?: string;
}
