// What other contexts may use of the CRM.
export { company, type Company, COMPANY_FIELDS } from './company.js';
export { contact, type Contact, CONTACT_FIELDS, OTHERS_FIELDS, personLock } from './contact.js';
export { emailKey, matchKeysOf } from './identities.js';
export { customFields } from './crm.search.js';
export { companies, contacts } from './crm.projection.js';
export { CompanyResponse, ContactResponse } from './crm.dto.js';
export { CrmQueries } from './crm.queries.js';
export { CreateCompany } from './create-company.js';
export { CreateContact } from './create-contact.js';
export { MergeContact } from './merge-contact.js';
export { ImportContacts } from './import-contacts.js';
export { Timelines } from './timelines.js';
