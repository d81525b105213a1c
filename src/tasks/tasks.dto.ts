import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import {
  BooleanParameter,
  InstantField,
  LONG,
  NonEmptyText,
  OneOf,
  Optional,
  OptionalNullable,
  Text,
} from '#http/input/fields.js';
import {
  ExternalIdField,
  ExternalReferenceBody,
  ExternalReferenceResponse,
} from '#http/records/external-reference.dto.js';
import { UpdatedPageQuery } from '#http/paging/page.dto.js';
import { CompanyResponse, ContactResponse } from '../crm/crm.contract.js';
import { SaleResponse } from '../sales/sales.contract.js';
import { AgentResponse } from '../workspace/workspace.contract.js';

export class TaskResponse extends ExternalReferenceResponse {
  /** @example "task_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  task_id!: string;
  /** @example "Call back about the renewal" */
  title!: string;
  @ApiProperty({ type: String, nullable: true })
  notes!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  due_at!: string | null;
  /** Null while the task is open. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at!: string | null;
  /** The agent who is to do it. */
  @ApiProperty({ type: String, nullable: true })
  agent_id!: string | null;
  @ApiProperty({ type: String, nullable: true })
  company_id!: string | null;
  @ApiProperty({ type: String, nullable: true })
  contact_id!: string | null;
  @ApiProperty({ type: String, nullable: true })
  sale_id!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  created_at!: string | null;
  /** When any of the attributes shown here last changed. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
  /** The agent of `agent_id`. Only with `expand=agent`. */
  @ApiProperty({ type: () => AgentResponse, nullable: true, required: false })
  agent?: AgentResponse | null;
  /** The company of `company_id`. Only with `expand=company`. */
  @ApiProperty({ type: () => CompanyResponse, nullable: true, required: false })
  company?: CompanyResponse | null;
  /** The contact of `contact_id`. Only with `expand=contact`. */
  @ApiProperty({ type: () => ContactResponse, nullable: true, required: false })
  contact?: ContactResponse | null;
  /** The sale of `sale_id`. Only with `expand=sale`. */
  @ApiProperty({ type: () => SaleResponse, nullable: true, required: false })
  sale?: SaleResponse | null;
}

class TaskFields extends ExternalReferenceBody {
  @OptionalNullable()
  @Text(LONG)
  notes?: string | null;
  @OptionalNullable()
  @InstantField()
  due_at?: string | null;
  /** The agent who is to do it. */
  @OptionalNullable()
  @IsString()
  agent_id?: string | null;
  @OptionalNullable()
  @IsString()
  company_id?: string | null;
  @OptionalNullable()
  @IsString()
  contact_id?: string | null;
  @OptionalNullable()
  @IsString()
  sale_id?: string | null;
}

/** At most one of company_id, contact_id and sale_id. */
export class CreateTaskBody extends TaskFields {
  /** @example "Call back about the renewal" */
  @NonEmptyText()
  title!: string;
}

/** A task that may have been completed already. */
export class MadeTaskBody extends CreateTaskBody {
  /** When it was completed. */
  @Optional()
  @InstantField()
  completed_at?: string;
}

/** Fields left out stay as they are, null clears. At most one of company_id, contact_id and sale_id may be set afterwards. */
export class UpdateTaskBody extends TaskFields {
  /** @example "Call back about the renewal" */
  @Optional()
  @NonEmptyText()
  title?: string;
  /** Completes the task, or with null reopens it. */
  @OptionalNullable()
  @InstantField()
  completed_at?: string | null;
}

export class ListTasksQuery extends UpdatedPageQuery {
  /** Only tasks of this agent. */
  @Optional()
  @Text()
  agent_id?: string;
  /** Only tasks that are open, or with false only those that are completed. */
  @Optional()
  @BooleanParameter()
  open?: boolean;
  /** Only tasks linked to this company. */
  @Optional()
  @Text()
  company_id?: string;
  /** Only tasks linked to this contact. */
  @Optional()
  @Text()
  contact_id?: string;
  /** Only tasks linked to this sale. */
  @Optional()
  @Text()
  sale_id?: string;
  /** Only the one with this external id of yours. */
  @Optional()
  @ExternalIdField()
  external_id?: string;
  /** Only tasks that are due before this instant. */
  @Optional()
  @InstantField()
  due_before?: string;
  /** Only tasks that are due at or after this instant. */
  @Optional()
  @InstantField()
  due_after?: string;
  /** Only open tasks whose due time has passed, or with false only the others. */
  @Optional()
  @BooleanParameter()
  overdue?: boolean;
  /** `due_at` lists only open tasks with a due time, what is due first first. */
  @Optional()
  @OneOf('-created_at', 'due_at')
  @ApiProperty({ default: '-created_at' })
  sort?: string;
}
