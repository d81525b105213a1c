import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import {
  EmailField,
  FreeObject,
  NonEmptyText,
  OneOf,
  Optional,
  OptionalNullable,
  PhoneField,
  Text,
  TextsByKeyParameter,
} from '#http/input/fields.js';
import {
  ExternalIdField,
  ExternalReferenceBody,
  ExternalReferenceResponse,
} from '#http/records/external-reference.dto.js';
import { IdsParameter } from '#http/input/ids-parameter.js';
import { UpdatedPageQuery } from '#http/paging/page.dto.js';
import { RecordTagResponse } from '../tags/tags.contract.js';
import { AgentResponse } from '../workspace/workspace.contract.js';

const CUSTOM_FIELDS = { custom_field_key: 'value' };

export class ContactResponse extends ExternalReferenceResponse {
  /** @example "contact_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  contact_id!: string;
  /** Empty when unknown. @example "Grace Hopper" */
  name!: string;
  /** Primary e-mail address; empty when unknown. @example "grace@navy.example" */
  email!: string;
  /** Primary phone number as it was given; empty when unknown. @example "+1 (555) 010-9999" */
  phone_number!: string;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
  @ApiProperty({ type: String, nullable: true })
  company_id!: string | null;
  /** Values keyed by custom field key. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: CUSTOM_FIELDS })
  custom_fields!: Record<string, unknown>;
  /** @example "Rear admiral" */
  @ApiProperty({ type: String, nullable: true })
  company_role!: string | null;
  /** The addresses of contacts that were merged into it, the earliest merger first, without its own. */
  other_emails!: string[];
  /** Their numbers, likewise. */
  other_phone_numbers!: string[];
  /** Its tags, by name. */
  tags!: RecordTagResponse[];
  /** When any of the attributes shown here last changed. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
  /** The company of `company_id`. Only with `expand=company`. */
  @ApiProperty({ type: () => CompanyResponse, nullable: true, required: false })
  company?: CompanyResponse | null;
}

/** At least one of name, email and phone_number must be given. */
export class CreateContactBody extends ExternalReferenceBody {
  /** @example "Grace Hopper" */
  @OptionalNullable()
  @Text()
  name?: string | null;
  /** @example "grace@navy.example" */
  @OptionalNullable()
  @EmailField()
  email?: string | null;
  /** 5 to 20 digits, written as people do. @example "+1 (555) 010-9999" */
  @OptionalNullable()
  @PhoneField()
  phone_number?: string | null;
  /** A company of the same organization. */
  @OptionalNullable()
  @IsString()
  company_id?: string | null;
  /** Values keyed by custom field key, checked against the definitions. */
  @OptionalNullable()
  @FreeObject()
  custom_fields?: Record<string, unknown> | null;
  /** @example "Rear admiral" */
  @OptionalNullable()
  @Text()
  company_role?: string | null;
}

/** Fields left out stay as they are, null clears; custom_fields are merged. */
export class UpdateContactBody extends CreateContactBody {}

export class MergeContactBody {
  /** The contact that becomes part of the one in the path. @example "contact_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  @IsString()
  from_contact_id!: string;
}

const REASONS = ['email', 'phone', 'name_and_company'] as const;
export type DuplicateReason = (typeof REASONS)[number];

/** Two contacts that may be the same person. */
export class DuplicateResponse {
  /** What they have in common: the e-mail address, the phone number, or the name and the company. */
  @ApiProperty({ enum: REASONS })
  reason!: DuplicateReason;
  /** The ids of the two, the older first. */
  contact_ids!: string[];
  /** The two, the older first. */
  contacts!: ContactResponse[];
}

export class ListContactsQuery extends UpdatedPageQuery {
  /** Only contacts with this e-mail address, or with it in `other_emails`; in any case, its domain in Unicode or ASCII (IDNA). */
  @Optional()
  @Text()
  email?: string;
  /** Only contacts with this number, or with it in `other_phone_numbers`, however it is written. */
  @Optional()
  @Text()
  phone_number?: string;
  /** Only contacts of this company. */
  @Optional()
  @Text()
  company_id?: string;
  /** Only the one with this external id of yours. */
  @Optional()
  @ExternalIdField()
  external_id?: string;
  /** Only contacts whose name begins like this, in any case, with accents or without. */
  @Optional()
  @Text()
  name?: string;
  /** Only contacts with exactly these values of custom fields, each given as `custom_fields[key]=value`. */
  @Optional()
  @TextsByKeyParameter()
  custom_fields?: Record<string, string>;
  /** Only contacts with this tag, or with all of them. May be given several times, or with ids separated by commas. */
  @Optional()
  @IdsParameter()
  tag_id?: string[];
  /** `name` begins with A; `-last_activity_at` with who has the latest conversation, and ends with who has none. */
  @Optional()
  @OneOf('-created_at', 'name', '-last_activity_at')
  @ApiProperty({ default: '-created_at' })
  sort?: string;
}

export class CompanyResponse extends ExternalReferenceResponse {
  /** @example "company_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  company_id!: string;
  /** @example "Navy" */
  name!: string;
  /** @example "navy.example" */
  @ApiProperty({ type: String, nullable: true })
  domain!: string | null;
  /** Values keyed by custom field key. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: CUSTOM_FIELDS })
  custom_fields!: Record<string, unknown>;
  @ApiProperty({ type: String, nullable: true })
  address!: string | null;
  /** The agent who looks after the company. */
  @ApiProperty({ type: String, nullable: true })
  agent_id!: string | null;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
  /** Its tags, by name. */
  tags!: RecordTagResponse[];
  /** When any of the attributes shown here last changed. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
  /** The agent of `agent_id`. Only with `expand=agent`. */
  @ApiProperty({ type: () => AgentResponse, nullable: true, required: false })
  agent?: AgentResponse | null;
}

class CompanyFields extends ExternalReferenceBody {
  /**
   * Kept in lower case, without protocol, userinfo, port, path and the dot at its end. Must then be the name of a host with a
   * dot in it, in any script; an IP address is none. @example "navy.example"
   */
  @OptionalNullable()
  @Text()
  domain?: string | null;
  /** Values keyed by custom field key, checked against the definitions. */
  @OptionalNullable()
  @FreeObject()
  custom_fields?: Record<string, unknown> | null;
  @OptionalNullable()
  @Text()
  address?: string | null;
  /** An agent of the same organization. */
  @OptionalNullable()
  @IsString()
  agent_id?: string | null;
}

export class CreateCompanyBody extends CompanyFields {
  /** @example "Navy" */
  @NonEmptyText()
  name!: string;
}

/** Fields left out stay as they are, null clears; custom_fields are merged. */
export class UpdateCompanyBody extends CompanyFields {
  /** @example "Navy" */
  @Optional()
  @NonEmptyText()
  name?: string;
}

export class MergeCompanyBody {
  /** The company that becomes part of the one in the path. @example "company_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  @IsString()
  from_company_id!: string;
}

export class ListCompaniesQuery extends UpdatedPageQuery {
  /** Only companies with this domain, in Unicode or ASCII (IDNA), or in a URL. */
  @Optional()
  @Text()
  domain?: string;
  /** Only the one with this external id of yours. */
  @Optional()
  @ExternalIdField()
  external_id?: string;
  /** Only companies whose name begins like this, in any case, with accents or without. */
  @Optional()
  @Text()
  name?: string;
  /** Only companies with exactly these values of custom fields, each given as `custom_fields[key]=value`. */
  @Optional()
  @TextsByKeyParameter()
  custom_fields?: Record<string, string>;
  /** Only companies with this tag, or with all of them. May be given several times, or with ids separated by commas. */
  @Optional()
  @IdsParameter()
  tag_id?: string[];
  /** `name` begins with A. */
  @Optional()
  @OneOf('-created_at', 'name')
  @ApiProperty({ default: '-created_at' })
  sort?: string;
}
