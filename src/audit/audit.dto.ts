import { ApiProperty } from '@nestjs/swagger';
import { ACTOR_TYPES } from '#kernel/context.js';
import { DatedPageQuery } from '#http/paging/page.dto.js';
import { ApiAnyValue, Optional, Text, WordsParameter } from '#http/input/fields.js';
import { ACTION_TYPES, REASONS, RECORD_TYPES } from './audit-record.js';

/** In place of record types: those of every kind. */
export const ALL = 'all';

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
  /** What the agent or key is called now; null for others. */
  @ApiProperty({ type: String, nullable: true, example: 'Ada Byron' })
  name!: string | null;
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
  /** The API key that was used, also where an agent acted with it; null where there was none. */
  @ApiProperty({ type: String, nullable: true })
  key_id!: string | null;
  @ApiProperty({ type: String, nullable: true })
  request_id!: string | null;
  /** The event it was made from. */
  event_id!: string;
  /** `promoted` where a draft is gone because it was delivered and became a message; null otherwise. */
  @ApiProperty({ type: String, enum: [...REASONS, null], nullable: true })
  reason!: string | null;
}

export class AdminAuditLogResponse extends AuditLogResponse {
  organization_id!: string;
}

export class ListAuditLogsQuery extends DatedPageQuery {
  /** Only changes made by this agent. */
  @Optional()
  @Text()
  agent_id?: string;
  /**
   * Only changes of records of these kinds, or with `all` of every kind. Sales, conversations and drafts when left out. May be given
   * several times, or with kinds separated by commas.
   */
  @Optional()
  @WordsParameter(...RECORD_TYPES, ALL)
  record_type?: string[];
  /** Only such changes. May be given several times, or with words separated by commas. */
  @Optional()
  @WordsParameter(...ACTION_TYPES)
  action_type?: string[];
  /** Only changes of this record. */
  @Optional()
  @Text()
  record_id?: string;
  /** Only records in which this documented field changed, such as `current_status`. */
  @Optional()
  @Text()
  field?: string;
  /** Only what this request did, by its `X-Request-Id`. */
  @Optional()
  @Text()
  request_id?: string;
  /** Only what was done by such actors. May be given several times, or with words separated by commas. */
  @Optional()
  @WordsParameter(...ACTOR_TYPES)
  actor_type?: string[];
  /** Only what was done with this API key, by whichever agent. */
  @Optional()
  @Text()
  key_id?: string;
}

export class ListAllAuditLogsQuery extends ListAuditLogsQuery {
  /** Only changes in this organization. */
  @Optional()
  @Text()
  organization_id?: string;
}
