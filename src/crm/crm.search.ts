import type { CustomValues } from '#kernel/custom-values.js';
import { recordsOf, type SearchField, type SearchSource } from '../search/search.contract.js';
import { companies, contacts } from './crm.projection.js';

/** What contacts and companies are found by. */
export const CRM_SEARCH: SearchSource[] = [
  recordsOf({
    aggregate: contacts,
    idKinds: ['contact'],
    unchangedBy: ['ContactTagsChanged'],
    documentOf: ({
      contact_id,
      name,
      email,
      phone_number,
      phone_key,
      company_role,
      custom_fields,
      created_at,
      other_emails,
      other_phone_numbers,
      merged_people,
    }) => ({
      type: 'contact',
      title: name || email || phone_number,
      conversation_id: null,
      occurred_at: created_at,
      agent_id: null,
      contact_ids: [contact_id],
      modality: null,
      fields: [
        { name: 'name', text: name, kind: 'title' },
        { name: 'email', text: email, kind: 'address' },
        { name: 'phone_number', text: phone_number, kind: 'number', key: phone_key },
        ...other_emails.map((text): SearchField => ({ name: 'other_emails', text, kind: 'address' })),
        ...other_phone_numbers.map((text): SearchField => ({
          name: 'other_phone_numbers',
          text,
          kind: 'number',
          key: merged_people.find(({ phone_number }) => phone_number === text)!.phone_key,
        })),
        { name: 'company_role', text: company_role },
        ...customFields(custom_fields),
      ],
    }),
  }),
  recordsOf({
    aggregate: companies,
    idKinds: ['company'],
    unchangedBy: ['CompanyTagsChanged'],
    documentOf: ({ name, domain, address, agent_id, custom_fields, created_at }) => ({
      type: 'company',
      title: name,
      conversation_id: null,
      occurred_at: created_at,
      agent_id,
      contact_ids: [],
      modality: null,
      fields: [
        { name: 'name', text: name, kind: 'title' },
        { name: 'domain', text: domain, kind: 'address' },
        { name: 'address', text: address },
        ...customFields(custom_fields),
      ],
    }),
  }),
];

/** Custom values that have words. */
export const customFields = (values: CustomValues): SearchField[] =>
  Object.entries(values).flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'number'
      ? [{ name: `custom_fields.${key}`, text: String(value) }]
      : [],
  );
