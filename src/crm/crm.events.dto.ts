import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { ExternalReferenceResponse } from '#http/records/external-reference.dto.js';
import { CompanyResponse, ContactResponse } from './crm.dto.js';

// The data of public events. Schemas are named after these classes.

export class ContactCreatedData extends OmitType(ContactResponse, [
  'other_emails',
  'other_phone_numbers',
  'tags',
  'updated_at',
] as const) {}

/** With the lists where other contacts were merged into it. */
export class ContactIdentityChangedData extends IntersectionType(
  PickType(ContactResponse, ['name', 'email', 'phone_number'] as const),
  PartialType(PickType(ContactResponse, ['other_emails', 'other_phone_numbers'] as const)),
) {}

export class ContactEmploymentChangedData extends PickType(ContactResponse, [
  'company_id',
  'company_role',
] as const) {}

export class CompanyCreatedData extends OmitType(CompanyResponse, ['tags', 'updated_at'] as const) {}

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

/** Of the one that stays, with its values from now on: `from_contact_id`. Of the one that ends: `into_contact_id` alone. */
export class ContactMergedData extends PartialType(
  PickType(ContactResponse, [
    'name',
    'email',
    'phone_number',
    'other_emails',
    'other_phone_numbers',
    'company_id',
    'company_role',
    'custom_fields',
    'external_id',
    'metadata',
    'tags',
  ] as const),
) {
  /** The contact that is part of this one from now on. */
  from_contact_id?: string;
  /** The contact that this one is part of from now on. */
  into_contact_id?: string;
}

/** Of the one that stays, with its values from now on: `from_company_id`. Of the one that ends: `into_company_id` alone. */
export class CompanyMergedData extends PartialType(
  PickType(CompanyResponse, [
    'name',
    'domain',
    'address',
    'agent_id',
    'custom_fields',
    'external_id',
    'metadata',
    'tags',
  ] as const),
) {
  /** The company that is part of this one from now on. */
  from_company_id?: string;
  /** The company that this one is part of from now on. */
  into_company_id?: string;
}
