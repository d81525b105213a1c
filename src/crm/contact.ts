import {
  changesCustomValues,
  filledCustomValues,
  mergeCustomValues,
  type CustomValues,
} from '#kernel/custom-values.js';
import { type Decider, RuleViolation } from '#kernel/decider.js';
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
import { nameKey } from '#kernel/name-key.js';
import { emailKey, NO_OTHERS, type Others, othersOf, type Reached, reachedByKeys } from './identities.js';

export interface Contact extends ExternalReference, Tagged, Reached, Others {
  contact_id: string;
  name: string;
  /** The e-mail's key to match contacts by (`addressKey`); null without one. */
  email_key: string | null;
  /** By which it is found and ordered (`nameKey`). */
  name_key: string;
  company_id: string | null;
  company_role: string | null;
  custom_fields: CustomValues;
  created_at: Instant;
  /** The external ids of contacts merged into it, which lead here. */
  merged_external_ids: string[];
  /** What contacts merged into it were reached by, the earliest merger first. */
  merged_people: Reached[];
}

/** The fields that the contract shows of a new contact, in its order. */
export const CONTACT_FIELDS = [
  'contact_id',
  'name',
  'email',
  'phone_number',
  'created_at',
  'company_id',
  'custom_fields',
  'company_role',
  'external_id',
  'metadata',
] as const;

/** Those that it shows beside them. */
export const OTHERS_FIELDS = ['other_emails', 'other_phone_numbers'] as const;

type Identity = Pick<Contact, 'name'> & Reached;
type Employment = Pick<Contact, 'company_id' | 'company_role'>;
type Told = Identity &
  Employment &
  Partial<ExternalReference> &
  Pick<Contact, 'contact_id' | 'custom_fields' | 'created_at'>;

export type ContactEvent =
  | { type: 'ContactCreated'; data: Told }
  | { type: 'ContactIdentityChanged'; data: Identity & ToldOthers }
  | { type: 'ContactEmploymentChanged'; data: Employment }
  | { type: 'ContactCustomFieldsChanged'; data: { custom_fields: CustomValues | null } }
  | { type: 'ContactReferenceChanged'; data: Partial<ExternalReference> }
  | { type: 'ContactTagsChanged'; data: TagsChange }
  | { type: 'ContactMerged'; data: { into_contact_id: string } | TookOver }
  | { type: 'ContactDeleted'; data: object };

/** What the contact has from now on of those merged into it, as followers of the feed copy it. Left out where it says nothing new. */
type ToldOthers = Partial<Pick<Others, (typeof OTHERS_FIELDS)[number]>>;

/** Another contact is part of this one from now on. The other fields are this one's values afterwards. */
type TookOver = { from_contact_id: string } & ToldOthers &
  Identity &
  Employment &
  Pick<Contact, 'custom_fields' | 'external_id' | 'metadata' | 'merged_external_ids'> & {
    /** Left out before there were tags. */
    tags?: RecordTag[];
    /** What the other, and whoever was merged into it, was reached by. */
    brought?: Reached[];
    /** In place of that, before it was shown: the keys of all that were merged (`matchKeysOf`). */
    merged_keys?: string[];
  };

/** Fields that a change names; those it leaves out stay as they are. */
export type ContactChanges = Partial<Identity & Employment> &
  ReferenceChanges & { custom_fields?: CustomValues | null };

export type ContactCommand =
  | ({ type: 'CreateContact' } & Told)
  | { type: 'TakeOver'; from: Contact }
  | { type: 'MergeInto'; into_contact_id: string }
  | { type: 'UpdateContact'; changes: ContactChanges };

export const contact: Decider<Contact, ContactCommand, ContactEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'CreateContact': {
        const { type: _, ...data } = command;
        requireIdentity(data);
        return [{ type: 'ContactCreated', data }];
      }
      case 'UpdateContact':
        return state ? changeContact(state, command.changes) : [];
      case 'TakeOver':
        return state ? [{ type: 'ContactMerged', data: tookOver(state, command.from) }] : [];
      case 'MergeInto':
        return state ? [{ type: 'ContactMerged', data: { into_contact_id: command.into_contact_id } }] : [];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'ContactDeleted':
        return null;
      case 'ContactMerged': {
        if ('into_contact_id' in event.data) return null;
        if (!state) return null;
        const { from_contact_id: _, brought, merged_keys: __, ...taken } = event.data;
        const merged_people = [...mergedInto(state), ...(brought ?? broughtBefore(state, event.data))];
        return {
          ...state,
          ...taken,
          ...keysOf(taken),
          ...taggedWith(taken.tags ?? state.tags),
          merged_people,
          ...othersOf(taken, merged_people),
        };
      }
      case 'ContactCreated':
        return {
          // First, as behind a spread that begins an object each new key takes V8 a microsecond.
          merged_external_ids: [],
          merged_people: [],
          ...NO_OTHERS,
          ...NO_REFERENCE,
          ...UNTAGGED,
          ...event.data,
          ...keysOf(event.data),
        };
      case 'ContactIdentityChanged':
        return (
          state && {
            ...state,
            ...event.data,
            ...keysOf(event.data),
            ...othersOf(event.data, mergedInto(state)),
          }
        );
      case 'ContactEmploymentChanged':
      case 'ContactReferenceChanged':
        return state && { ...state, ...event.data };
      case 'ContactTagsChanged':
        return state && { ...state, ...withTagsChanged(state, event.data) };
      case 'ContactCustomFieldsChanged':
        return (
          state && {
            ...state,
            custom_fields: mergeCustomValues(state.custom_fields, event.data.custom_fields),
          }
        );
    }
  },
};

function changeContact(
  state: Contact,
  { custom_fields, external_id, metadata, ...changes }: ContactChanges,
): ContactEvent[] {
  const { name, email, phone_number, phone_key, company_id, company_role } = { ...state, ...changes };
  const identity = { name, email, phone_number, phone_key };
  const employment = { company_id, company_role };
  requireIdentity(identity);
  const events: ContactEvent[] = [];
  if (name !== state.name || email !== state.email || phone_number !== state.phone_number)
    events.push({
      type: 'ContactIdentityChanged',
      data: { ...identity, ...toldOthers(identity, mergedInto(state)) },
    });
  if (company_id !== state.company_id || company_role !== state.company_role)
    events.push({ type: 'ContactEmploymentChanged', data: employment });
  if (custom_fields !== undefined && changesCustomValues(state.custom_fields, custom_fields))
    events.push({ type: 'ContactCustomFieldsChanged', data: { custom_fields } });
  const reference = changedReference(state, { external_id, metadata });
  if (Object.keys(reference).length > 0) events.push({ type: 'ContactReferenceChanged', data: reference });
  return events;
}

/** A contact's values with another's where it has none. */
function tookOver(state: Contact, from: Contact): TookOver {
  const { phone_number, phone_key } = state.phone_number === '' ? from : state;
  const reached = { email: state.email || from.email, phone_number, phone_key };
  const brought = [
    ...mergedInto(from),
    { email: from.email, phone_number: from.phone_number, phone_key: from.phone_key },
  ];
  return {
    from_contact_id: from.contact_id,
    name: state.name || from.name,
    ...reached,
    company_id: state.company_id ?? from.company_id,
    company_role: state.company_role ?? from.company_role,
    custom_fields: filledCustomValues(state.custom_fields, from.custom_fields),
    ...filledReference(state, from),
    brought,
    ...toldOthers(reached, [...mergedInto(state), ...brought]),
    tags: unitedTags(state.tags, from.tags),
  };
}

function toldOthers(own: Reached, merged: readonly Reached[]): ToldOthers {
  if (merged.length === 0) return {};
  const { other_emails, other_phone_numbers } = othersOf(own, merged);
  return { other_emails, other_phone_numbers };
}

/** What a merger brought that told keys alone: what the contact took over was the other's, too. */
function broughtBefore(
  state: Contact,
  { email, phone_number, phone_key, merged_keys = [] }: TookOver,
): Reached[] {
  return [
    ...(state.email === '' ? [{ email, phone_number: '', phone_key: null }] : []),
    ...(state.phone_number === '' ? [{ email: '', phone_number, phone_key }] : []),
    ...reachedByKeys(merged_keys),
  ];
}

/** A row that is not rebuilt yet since they are kept knows their keys alone. */
const mergedInto = ({ merged_people, merged_keys }: Contact): Reached[] =>
  merged_people.length > 0 ? merged_people : reachedByKeys(merged_keys);

function requireIdentity({ name, email, phone_number }: Omit<Identity, 'phone_key'>): void {
  if (name === '' && email === '' && phone_number === '')
    throw new RuleViolation(
      'validation_failed',
      'at least one of name, email and phone_number must be given',
      'name',
    );
}

const keysOf = ({ name, email }: Identity) => ({ name_key: nameKey(name), email_key: emailKey(email) });

/**
 * Names the lock of whoever makes a contact with this address or number, by its key: two writers must not make two.
 */
export const personLock = (key: string): string => `person:${key}`;
