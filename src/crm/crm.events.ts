import { type PublicForms, shownAs } from '#event-store/public-event.js';
import { NO_REFERENCE } from '#kernel/external-reference.js';
import { inOrder } from '#kernel/in-order.js';
import { COMPANY_FIELDS, type CompanyEvent } from './company.js';
import { CONTACT_FIELDS, type ContactEvent } from './contact.js';
import {
  CompanyAssignedData,
  CompanyCreatedData,
  CompanyDeletedData,
  ContactDeletedData,
  CompanyDetailsChangedData,
  ContactCreatedData,
  ContactEmploymentChangedData,
  ContactIdentityChangedData,
  CustomFieldsChangedData,
  ReferenceChangedData,
} from './crm.events.dto.js';

const REFERENCE = ['external_id', 'metadata'] as const;

export const contactEvents: PublicForms<ContactEvent> = {
  ContactCreated: shownAs(ContactCreatedData, 'A contact was created.', (contact) =>
    inOrder({ ...NO_REFERENCE, ...contact }, CONTACT_FIELDS),
  ),
  ContactIdentityChanged: shownAs(
    ContactIdentityChangedData,
    "A contact's name, e-mail address or phone number changed.",
    ({ name, email, phone_number }) => ({ name, email, phone_number }),
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
  ContactDeleted: shownAs(ContactDeletedData, 'A contact was deleted.', () => ({})),
  ContactReferenceChanged: shownAs(
    ReferenceChangedData,
    'The external id or the metadata of a contact changed.',
    (changed) => inOrder(changed, REFERENCE),
  ),
};

export const companyEvents: PublicForms<CompanyEvent> = {
  CompanyCreated: shownAs(CompanyCreatedData, 'A company was created.', (company) =>
    inOrder({ ...NO_REFERENCE, ...company }, COMPANY_FIELDS),
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
  CompanyDeleted: shownAs(CompanyDeletedData, 'A company was deleted.', () => ({})),
  CompanyReferenceChanged: shownAs(
    ReferenceChangedData,
    'The external id or the metadata of a company changed.',
    (changed) => inOrder(changed, REFERENCE),
  ),
};
