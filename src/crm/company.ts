import { changesCustomValues, mergeCustomValues, type CustomValues } from '#kernel/custom-values.js';
import { type Decider, RuleViolation } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';

export interface Company {
  company_id: string;
  name: string;
  domain: string | null;
  custom_fields: CustomValues;
  address: string | null;
  agent_id: string | null;
  created_at: Instant;
}

type Details = Pick<Company, 'name' | 'domain' | 'address'>;

export type CompanyEvent =
  | { type: 'CompanyCreated'; data: Company }
  | { type: 'CompanyDetailsChanged'; data: Details }
  | { type: 'CompanyAssigned'; data: Pick<Company, 'agent_id'> }
  | { type: 'CompanyCustomFieldsChanged'; data: { custom_fields: CustomValues | null } };

/** Fields that a change names; those it leaves out stay as they are. */
export type CompanyChanges = Partial<Details> & {
  agent_id?: string | null;
  custom_fields?: CustomValues | null;
};

export type CompanyCommand =
  ({ type: 'CreateCompany' } & Company) | { type: 'ChangeCompany'; changes: CompanyChanges };

export const company: Decider<Company, CompanyCommand, CompanyEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'CreateCompany': {
        const { type: _, ...data } = command;
        return [{ type: 'CompanyCreated', data: { ...data, domain: bareDomain(data.domain) } }];
      }
      case 'ChangeCompany':
        return state ? changeCompany(state, command.changes) : [];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'CompanyCreated':
        return event.data;
      case 'CompanyDetailsChanged':
      case 'CompanyAssigned':
        return state && { ...state, ...event.data };
      case 'CompanyCustomFieldsChanged':
        return (
          state && {
            ...state,
            custom_fields: mergeCustomValues(state.custom_fields, event.data.custom_fields),
          }
        );
    }
  },
};

function changeCompany(
  state: Company,
  { custom_fields, agent_id, ...changes }: CompanyChanges,
): CompanyEvent[] {
  const merged = { ...state, ...changes };
  const details = {
    name: merged.name,
    domain: changes.domain === undefined ? state.domain : bareDomain(changes.domain),
    address: merged.address,
  };
  const events: CompanyEvent[] = [];
  if (details.name !== state.name || details.domain !== state.domain || details.address !== state.address)
    events.push({ type: 'CompanyDetailsChanged', data: details });
  if (agent_id !== undefined && agent_id !== state.agent_id)
    events.push({ type: 'CompanyAssigned', data: { agent_id } });
  if (custom_fields !== undefined && changesCustomValues(state.custom_fields, custom_fields))
    events.push({ type: 'CompanyCustomFieldsChanged', data: { custom_fields } });
  return events;
}

/** The domain in lower case, without protocol and path; it must hold a dot (contract, create-company body). */
function bareDomain(domain: string | null): string | null {
  if (domain === null) return null;
  const bare = stripUrl(domain);
  if (!bare.includes('.') || /\s/.test(bare))
    throw new RuleViolation('validation_failed', 'must be a domain such as example.com', 'domain');
  return bare;
}

/** Lower case, without protocol and path. */
export const stripUrl = (domain: string): string =>
  domain
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/[/?#].*/s, '');
