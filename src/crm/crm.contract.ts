// What other contexts may use of the CRM.
export { contact, type Contact } from './contact.js';
export { contacts } from './crm.projection.js';
export { CrmQueries } from './crm.queries.js';
export { phoneKey } from './phone.js';
