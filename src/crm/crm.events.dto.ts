import { ApiProperty, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { ExternalReferenceResponse } from '#http/records/external-reference.dto.js';
import { CompanyResponse, ContactResponse } from './crm.dto.js';

// The data of public events. Schemas are named after these classes.

export class ContactCreatedData extends OmitType(ContactResponse, ['updated_at'] as const) {}

export class ContactIdentityChangedData extends PickType(ContactResponse, [
  'name',
  'email',
  'phone_number',
] as const) {}

export class ContactEmploymentChangedData extends PickType(ContactResponse, [
  'company_id',
  'company_role',
] as const) {}

export class CompanyCreatedData extends OmitType(CompanyResponse, ['updated_at'] as const) {}

export class CompanyDetailsChangedData extends PickType(CompanyResponse, [
  'name',
  'domain',
  'address',
] as const) {}

export class CompanyAssignedData extends PickType(CompanyResponse, ['agent_id'] as const) {}

/** What changed; a field left out stayed as it was. */
export class ReferenceChangedData extends PartialType(ExternalReferenceResponse) {}

export class CustomFieldsChangedData {
  /** Values that replace those of the same key, the others stay; null clears all. */
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: true })
  custom_fields!: Record<string, unknown> | null;
}

export class ContactDeletedData {}

export class CompanyDeletedData {}
