import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import type { Contact, ContactEvent } from '../../../src/crm/contact.js';

type Created = Extract<ContactEvent, { type: 'ContactCreated' }>['data'];

/** The event that begins a contact's stream. */
export const contactCreated = (contact_id: string, given: Partial<Created> = {}): ContactEvent => ({
  type: 'ContactCreated',
  data: {
    contact_id,
    name: 'Ann',
    email: '',
    phone_number: '',
    phone_key: null,
    company_id: null,
    company_role: null,
    custom_fields: {},
    created_at: now(),
    ...given,
  },
});

/** The event that gives a contact another name. */
export const renamed = ({ email, phone_number, phone_key }: Contact, name: string): ContactEvent => ({
  type: 'ContactIdentityChanged',
  data: { name, email, phone_number, phone_key },
});

export const newContactId = () => newId('contact');
