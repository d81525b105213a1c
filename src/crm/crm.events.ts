import { type PublicForms, shownAs } from '#event-store/public-event.js';
import { NO_REFERENCE } from '#kernel/external-reference.js';
import { inOrder } from '#kernel/in-order.js';
import { tagsChangedOf } from '../tags/tags.contract.js';
import { COMPANY_FIELDS, type CompanyEvent } from './company.js';
import { CONTACT_FIELDS, type ContactEvent } from './contact.js';
import type { Others } from './identities.js';
import {
  CompanyAssignedData,
  CompanyCreatedData,
  CompanyDeletedData,
  CompanyMergedData,
  ContactMergedData,
  ContactDeletedData,
  CompanyDetailsChangedData,
  ContactCreatedData,
  ContactEmploymentChangedData,
  ContactIdentityChangedData,
  CustomFieldsChangedData,
  ReferenceChangedData,
} from './crm.events.dto.js';

const CONTACT_VALUES = [
  'name',
  'email',
  'phone_number',
  'company_id',
  'company_role',
  'custom_fields',
  'external_id',
  'metadata',
  'tags',
] as const;
const COMPANY_VALUES = [
  'name',
  'domain',
  'address',
  'agent_id',
  'custom_fields',
  'external_id',
  'metadata',
  'tags',
] as const;
const REFERENCE = ['external_id', 'metadata'] as const;

export const contactEvents: PublicForms<ContactEvent> = {
  ContactCreated: shownAs(ContactCreatedData, 'A contact was created.', (contact) =>
    inOrder(contact, CONTACT_FIELDS, NO_REFERENCE),
  ),
  ContactIdentityChanged: shownAs(
    ContactIdentityChangedData,
    "A contact's name, e-mail address or phone number changed.",
    ({ name, email, phone_number, ...others }) => ({ name, email, phone_number, ...toldOf(others) }),
  ),
  ContactEmploymentChanged: shownAs(
    ContactEmploymentChangedData,
    'A contact changed company or role.',
    ({ company_id, company_role }) => ({ company_id, company_role }),
  ),
  ContactCustomFieldsChanged: shownAs(
    CustomFieldsChangedData,
    'Custom fields of a contact changed.',
    ({ custom_fields }) => ({ custom_fields }),
  ),
  ContactMerged: shownAs(
    ContactMergedData,
    'Two contacts became one. The one that stays tells what it has now, the other one which that is, and is no more.',
    (told) =>
      'into_contact_id' in told
        ? { into_contact_id: told.into_contact_id }
        : { from_contact_id: told.from_contact_id, ...inOrder(told, CONTACT_VALUES), ...toldOf(told) },
  ),
  ContactTagsChanged: tagsChangedOf('contact'),
  ContactDeleted: shownAs(ContactDeletedData, 'A contact was deleted.', () => ({})),
  ContactReferenceChanged: shownAs(
    ReferenceChangedData,
    'The external id or the metadata of a contact changed.',
    (changed) => inOrder(changed, REFERENCE),
  ),
};

/** Events of before they were told have none. */
const toldOf = ({ other_emails, other_phone_numbers }: Partial<Others>) =>
  other_emails && other_phone_numbers ? { other_emails, other_phone_numbers } : {};

export const companyEvents: PublicForms<CompanyEvent> = {
  CompanyCreated: shownAs(CompanyCreatedData, 'A company was created.', (company) =>
    inOrder(company, COMPANY_FIELDS, NO_REFERENCE),
  ),
  CompanyDetailsChanged: shownAs(
    CompanyDetailsChangedData,
    "A company's name, domain or address changed.",
    ({ name, domain, address }) => ({ name, domain, address }),
  ),
  CompanyAssigned: shownAs(
    CompanyAssignedData,
    'Another agent, or none, looks after a company.',
    ({ agent_id }) => ({ agent_id }),
  ),
  CompanyCustomFieldsChanged: shownAs(
    CustomFieldsChangedData,
    'Custom fields of a company changed.',
    ({ custom_fields }) => ({ custom_fields }),
  ),
  CompanyMerged: shownAs(
    CompanyMergedData,
    'Two companies became one. The one that stays tells what it has now, the other one which that is, and is no more.',
    (told) =>
      'into_company_id' in told
        ? { into_company_id: told.into_company_id }
        : { from_company_id: told.from_company_id, ...inOrder(told, COMPANY_VALUES) },
  ),
  CompanyTagsChanged: tagsChangedOf('company'),
  CompanyDeleted: shownAs(CompanyDeletedData, 'A company was deleted.', () => ({})),
  CompanyReferenceChanged: shownAs(
    ReferenceChangedData,
    'The external id or the metadata of a company changed.',
    (changed) => inOrder(changed, REFERENCE),
  ),
};
