import type { Instant } from '#kernel/instant.js';
import type { RecordTag } from '#kernel/tags.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import { companies, company, contact, contacts } from '../crm/crm.contract.js';
import type { PlannedCompany, PlannedContact } from './plan-people.js';

export function companyAppend(
  { agent: _, ...given }: PlannedCompany,
  created: { company_id: string; agent_id: string; created_at: Instant },
): Append {
  const events = company.decide(null, {
    type: 'CreateCompany',
    ...given,
    ...created,
    custom_fields: {},
    external_id: `crm-${given.domain}`,
    metadata: { imported_from: 'crm' },
  });
  return appendTo(companies, created.company_id, NEW, events);
}

export function contactAppend(
  { company: _, agent: __, ...given }: PlannedContact,
  created: { contact_id: string; company_id: string; phone_key: string | null; created_at: Instant },
  added: RecordTag[],
): Append {
  const events = contact.decide(null, {
    type: 'CreateContact',
    ...given,
    ...created,
    custom_fields: {},
  });
  if (added.length > 0) events.push({ type: 'ContactTagsChanged', data: { added, removed: [] } });
  return appendTo(contacts, created.contact_id, NEW, events);
}
