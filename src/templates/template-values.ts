import { Injectable } from '@nestjs/common';
import type { CustomValues } from '#kernel/custom-values.js';
import { unknownId } from '#kernel/decider.js';
import { isId } from '#kernel/id.js';
import { EventStore } from '#event-store/event-store.js';
import { type ContactResponse, CrmQueries } from '../crm/crm.contract.js';
import { type Sale, sales } from '../sales/sales.contract.js';
import { Directory } from '../workspace/workspace.contract.js';
import { customName, NAMES } from './placeholders.js';

/** Whom a template is filled for; a text that is empty, or a field that is null, is not known. */
export type Addressee = Pick<ContactResponse, 'name' | 'email' | 'company_id'> & {
  custom_fields: CustomValues;
};

/** What a template is filled with. */
export interface About {
  contact: Addressee | null;
  /** The agent who writes. */
  agent_id: string | null;
  /** A sale that a body names. */
  sale_id: string | null;
}

/** Finds the values of placeholders. */
@Injectable()
export class TemplateValues {
  constructor(
    private readonly crm: CrmQueries,
    private readonly directory: Directory,
    private readonly store: EventStore,
  ) {}

  /** The names that templates of the organization may hold. */
  async names(organizationId: string): Promise<ReadonlySet<string>> {
    const { contacts } = await this.directory.customFields(organizationId);
    return new Set([...NAMES, ...contacts.map(({ key }) => customName(key))]);
  }

  /** The values by name; there is none for what is not known. Throws `RuleViolation` for an unknown sale. */
  async of(
    organizationId: string,
    { contact, agent_id, sale_id }: About,
  ): Promise<ReadonlyMap<string, string>> {
    const [organization, agent, company, sale] = await Promise.all([
      this.directory.organization(organizationId),
      agent_id === null ? undefined : this.directory.findAgent(organizationId, agent_id),
      contact?.company_id == null ? undefined : this.crm.company(organizationId, contact.company_id),
      sale_id === null ? null : this.sale(organizationId, sale_id),
    ]);
    const quoted = sale?.quote_details?.output;
    const own: Record<(typeof NAMES)[number], string | null | undefined> = {
      'contact.name': contact?.name,
      'contact.email': contact?.email,
      'company.name': company?.name,
      'agent.name': agent?.name,
      'agent.email': agent?.email,
      'organization.name': organization?.name,
      'sale.total_price': quoted?.total_price,
      'sale.currency': quoted?.currency,
    };
    const custom = Object.entries(contact?.custom_fields ?? {}).map(
      ([key, value]) => [customName(key), asRead(value)] as const,
    );
    const all = [...Object.entries(own), ...custom];
    return new Map(all.filter((one): one is [string, string] => one[1] != null));
  }

  private async sale(organizationId: string, saleId: string): Promise<Sale> {
    const { database } = this.store;
    const found = isId('sale', saleId)
      ? (await this.store.load<Sale>(database, organizationId, sales, saleId)).state
      : null;
    if (!found) throw unknownId('sale_id', 'sale', saleId);
    return found;
  }
}

/** A custom field's value as people read it; null for a blank one. */
function asRead(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
