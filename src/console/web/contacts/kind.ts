import type { Contact } from '../data/records.js';
import type { Kind } from '../records/kind.js';
import { words } from '../words/words.js';

const { contacts: text, contact: field, records } = words;

export const contactKind: Kind<Contact> = {
  type: 'contact',
  place: 'contacts',
  text,
  fields: [
    { name: 'name', label: records.name, type: 'text' },
    { name: 'email', label: field.email, type: 'email' },
    { name: 'phone_number', label: field.phone, type: 'tel' },
    { name: 'company_id', label: field.company, type: 'company' },
    { name: 'company_role', label: field.role, type: 'text' },
  ],
  begins: ['name', 'email', 'phone_number'],
  expand: 'company',
  idOf: ({ contact_id }) => contact_id,
  titleOf: ({ name, email, phone_number }) => name || email || phone_number || words.inbox.unnamed,
  hintOf: ({ email, phone_number }) => email || phone_number,
  sorts: [
    ['', records.sort.newest],
    ['name', records.sort.name],
    ['-last_activity_at', records.sort.active],
  ],
};
