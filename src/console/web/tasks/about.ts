import { contactKind } from '../contacts/kind.js';
import { addressOf } from '../data/record-address.js';
import type { Task } from '../data/records.js';
import { words } from '../words/words.js';

/** The record that a task links to. */
export interface About {
  type: 'company' | 'contact' | 'sale';
  id: string;
  /** The id, where the record did not come with the task. */
  name: string;
  to: string;
}

export function aboutOf(task: Task): About | null {
  const { company_id, contact_id, sale_id, company, contact, sale } = task;
  const of = (type: About['type'], id: string, name: string | undefined): About => ({
    type,
    id,
    name: name ?? id,
    to: addressOf(type, id)!,
  });
  if (company_id !== null) return of('company', company_id, company?.name);
  if (contact_id !== null)
    return of('contact', contact_id, contact ? contactKind.titleOf(contact) : undefined);
  if (sale_id === null) return null;
  return of('sale', sale_id, sale ? (sale.name ?? words.records.unnamedSale) : undefined);
}
