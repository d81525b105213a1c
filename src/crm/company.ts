import {
  changesCustomValues,
  filledCustomValues,
  mergeCustomValues,
  type CustomValues,
} from '#kernel/custom-values.js';
import type { Decider } from '#kernel/decider.js';
import {
  changedReference,
  type ExternalReference,
  filledReference,
  NO_REFERENCE,
  type ReferenceChanges,
} from '#kernel/external-reference.js';
import type { Instant } from '#kernel/instant.js';
import {
  type RecordTag,
  type Tagged,
  taggedWith,
  type TagsChange,
  unitedTags,
  UNTAGGED,
  withTagsChanged,
} from '#kernel/tags.js';
import { domainIn, domainKey } from './domain.js';
import { nameKey } from '#kernel/name-key.js';

export interface Company extends ExternalReference, Tagged {
  company_id: string;
  name: string;
  /** By which it is found and ordered (`nameKey`). */
  name_key: string;
  domain: string | null;
  /** The domain's key to find companies by (`domainKey`); null where the domain is its own key, or there is none. */
  domain_key: string | null;
  custom_fields: CustomValues;
  address: string | null;
  agent_id: string | null;
  created_at: Instant;
  /** The external ids of companies merged into it, which lead here. */
  merged_external_ids: string[];
}

/** The fields that the contract shows, in its order. */
export const COMPANY_FIELDS = [
  'company_id',
  'name',
  'domain',
  'custom_fields',
  'address',
  'agent_id',
  'created_at',
  'external_id',
  'metadata',
] as const;

type Details = Pick<Company, 'name' | 'domain' | 'address'>;
/** A company as its events tell it. */
type Told = Omit<
  Company,
  'domain_key' | 'name_key' | 'merged_external_ids' | keyof ExternalReference | keyof Tagged
> &
  Partial<ExternalReference>;

export type CompanyEvent =
  | { type: 'CompanyCreated'; data: Told }
  | { type: 'CompanyDetailsChanged'; data: Details }
  | { type: 'CompanyAssigned'; data: Pick<Company, 'agent_id'> }
  | { type: 'CompanyCustomFieldsChanged'; data: { custom_fields: CustomValues | null } }
  | { type: 'CompanyReferenceChanged'; data: Partial<ExternalReference> }
  | { type: 'CompanyTagsChanged'; data: TagsChange }
  | { type: 'CompanyMerged'; data: { into_company_id: string } | TookOver }
  | { type: 'CompanyDeleted'; data: object };

/** Another company is part of this one from now on. The other fields are this one's values afterwards. */
type TookOver = { from_company_id: string } & Details &
  Pick<Company, 'agent_id' | 'custom_fields' | 'external_id' | 'metadata' | 'merged_external_ids'> & {
    /** Left out before there were tags. */
    tags?: RecordTag[];
  };

/** Fields that a change names; those it leaves out stay as they are. */
export type CompanyChanges = Partial<Details> &
  ReferenceChanges & {
    agent_id?: string | null;
    custom_fields?: CustomValues | null;
  };

export type CompanyCommand =
  | ({ type: 'CreateCompany' } & Told)
  | { type: 'TakeOver'; from: Company }
  | { type: 'MergeInto'; into_company_id: string }
  | { type: 'UpdateCompany'; changes: CompanyChanges };

export const company: Decider<Company, CompanyCommand, CompanyEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'CreateCompany': {
        const { type: _, ...data } = command;
        return [{ type: 'CompanyCreated', data: { ...data, domain: bare(data.domain) } }];
      }
      case 'UpdateCompany':
        return state ? changeCompany(state, command.changes) : [];
      case 'TakeOver':
        return state ? [{ type: 'CompanyMerged', data: tookOver(state, command.from) }] : [];
      case 'MergeInto':
        return state ? [{ type: 'CompanyMerged', data: { into_company_id: command.into_company_id } }] : [];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'CompanyDeleted':
        return null;
      case 'CompanyMerged': {
        if ('into_company_id' in event.data) return null;
        const { from_company_id: _, ...taken } = event.data;
        return state && { ...state, ...taken, ...keysOf(taken), ...taggedWith(taken.tags ?? state.tags) };
      }
      case 'CompanyCreated':
        return {
          // First: see contact.ts.
          merged_external_ids: [],
          ...NO_REFERENCE,
          ...UNTAGGED,
          ...event.data,
          ...keysOf(event.data),
        };
      case 'CompanyDetailsChanged':
        return state && { ...state, ...event.data, ...keysOf(event.data) };
      case 'CompanyAssigned':
      case 'CompanyReferenceChanged':
        return state && { ...state, ...event.data };
      case 'CompanyTagsChanged':
        return state && { ...state, ...withTagsChanged(state, event.data) };
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
  { custom_fields, agent_id, external_id, metadata, ...changes }: CompanyChanges,
): CompanyEvent[] {
  const merged = { ...state, ...changes };
  const details = {
    name: merged.name,
    domain: changes.domain === undefined ? state.domain : bare(changes.domain),
    address: merged.address,
  };
  const events: CompanyEvent[] = [];
  if (details.name !== state.name || details.domain !== state.domain || details.address !== state.address)
    events.push({ type: 'CompanyDetailsChanged', data: details });
  if (agent_id !== undefined && agent_id !== state.agent_id)
    events.push({ type: 'CompanyAssigned', data: { agent_id } });
  if (custom_fields !== undefined && changesCustomValues(state.custom_fields, custom_fields))
    events.push({ type: 'CompanyCustomFieldsChanged', data: { custom_fields } });
  const reference = changedReference(state, { external_id, metadata });
  if (Object.keys(reference).length > 0) events.push({ type: 'CompanyReferenceChanged', data: reference });
  return events;
}

/** A company's values with another's where it has none. */
const tookOver = (state: Company, from: Company): TookOver => ({
  from_company_id: from.company_id,
  name: state.name,
  domain: state.domain ?? from.domain,
  address: state.address ?? from.address,
  agent_id: state.agent_id ?? from.agent_id,
  custom_fields: filledCustomValues(state.custom_fields, from.custom_fields),
  ...filledReference(state, from),
  tags: unitedTags(state.tags, from.tags),
});

const keysOf = ({ name, domain }: Details) => ({ name_key: nameKey(name), domain_key: domainKey(domain) });

const bare = (domain: string | null): string | null => (domain === null ? null : domainIn(domain));
