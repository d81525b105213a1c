import { sameValue } from '#kernel/same.js';
import type { Aggregate } from '#event-store/aggregate.js';
import { lookupRows } from '#event-store/lookup-rows.js';
import { mergedRows, mergedTable } from '#event-store/merged-rows.js';
import { externalIdRows, externalIdTable } from '#event-store/external-ids.js';
import { company, type Company, COMPANY_FIELDS, type CompanyEvent } from './company.js';
import { contact, type Contact, CONTACT_FIELDS, type ContactEvent, OTHERS_FIELDS } from './contact.js';

/** Finds contacts by the keys of those that were merged into them. */
const MATCH_KEYS = { table: 'contact_merged_key', column: 'match_key', key: 'contact_id' };

/** A merger that brings nothing which is shown. */
const isSilentMerger =
  <State>(merged: string, shown: readonly (keyof State)[]) =>
  ({ type }: { type: string }, before: State, after: State): boolean =>
    type === merged && shown.every((field) => sameValue(before[field], after[field]));

export const contacts: Aggregate<Contact, ContactEvent> = {
  streamType: 'contact',
  evolve: contact.evolve,
  row: {
    table: 'contact',
    key: 'contact_id',
    stamped: true,
    columns: [
      'contact_id',
      'name',
      'name_key',
      'email',
      'phone_number',
      'email_key',
      'phone_key',
      'company_id',
      'company_role',
      'custom_fields',
      'created_at',
      'external_id',
      'metadata',
      'merged_external_ids',
      'tags',
      'tag_ids',
      'merged_keys',
      'merged_people',
      ...OTHERS_FIELDS,
    ],
  },
  isSilent: isSilentMerger('ContactMerged', [...CONTACT_FIELDS, ...OTHERS_FIELDS, 'tags']),
  alsoTables: [externalIdTable('contact'), mergedTable('contact'), MATCH_KEYS.table],
  also: (organizationId, changes) => [
    ...externalIdRows(contacts.row, organizationId, changes),
    ...mergedRows(contacts.row, 'into_contact_id', organizationId, changes),
    ...lookupRows(MATCH_KEYS, organizationId, changes, ({ merged_keys }) => merged_keys),
  ],
};

export const companies: Aggregate<Company, CompanyEvent> = {
  streamType: 'company',
  evolve: company.evolve,
  row: {
    table: 'company',
    key: 'company_id',
    stamped: true,
    columns: [
      'company_id',
      'name',
      'name_key',
      'domain',
      'domain_key',
      'custom_fields',
      'address',
      'agent_id',
      'created_at',
      'external_id',
      'metadata',
      'merged_external_ids',
      'tags',
      'tag_ids',
    ],
  },
  isSilent: isSilentMerger('CompanyMerged', [...COMPANY_FIELDS, 'tags']),
  alsoTables: [externalIdTable('company'), mergedTable('company')],
  also: (organizationId, changes) => [
    ...externalIdRows(companies.row, organizationId, changes),
    ...mergedRows(companies.row, 'into_company_id', organizationId, changes),
  ],
};
