import { Injectable } from '@nestjs/common';
import { RuleViolation } from '#kernel/decider.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { TRY_AGAIN } from '#database/refusal.js';
import type { Transaction } from '#database/statements/statement.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { required, type Required } from '#event-store/required.js';
import { contact, type Contact, contacts, CrmQueries, emailKey, personLock } from '../../crm/crm.contract.js';
import { Directory } from '../../workspace/workspace.contract.js';
import { visitorName } from '../message.js';
import type { Party } from './message-to-record.js';
import { ThreadQueries } from './threads.queries.js';

/** A party and the keys it is matched by. */
export interface Identified {
  keys: string[];
  email_key: string | null;
  phone_key: string | null;
  party: Party | null;
  /** Custom fields for a contact made for this party. */
  custom_fields: Contact['custom_fields'];
}

/** The contact a message was exchanged with, and the append that creates or changes it, if any. */
export interface Person {
  id: string;
  append: Append | null;
  /** A contact that was there before must still be there when the message is recorded. */
  requires: Required[];
}

/** A contact was deleted, or merged into another, after it had been found: looked for again, it is not found. */
class ContactGone extends Error {
  readonly code = TRY_AGAIN;
}

const NOBODY = { keys: [], email_key: null, phone_key: null, custom_fields: {} };

/** Finds a message's contact by address, number or visitor; makes one when none is found. */
@Injectable()
export class ContactMatcher {
  constructor(
    private readonly store: EventStore,
    private readonly queries: ThreadQueries,
    private readonly crm: CrmQueries,
    private readonly directory: Directory,
  ) {}

  /**
   * The keys to match a party by and the defaults for a new contact, found before any lock is taken. Throws `RuleViolation`
   * for a contact that does not exist, naming the `field`.
   */
  async identify(
    organizationId: string,
    party: Party | null,
    field = 'contact.contact_id',
  ): Promise<Identified> {
    if (party === null) return { ...NOBODY, party };
    if (party.contact_id !== undefined) {
      if (!(await this.crm.contact(organizationId, party.contact_id)))
        throw unknownContact(party.contact_id, field);
      return { ...NOBODY, keys: [party.contact_id], party };
    }
    const email_key = emailKey(party.email);
    const phone_key =
      party.text_sender === undefined
        ? await this.crm.phoneKey(organizationId, party.phone_number)
        : `text:${party.text_sender.toLowerCase()}`;
    const keys = [email_key, phone_key].filter((key) => key !== null).map(personLock);
    if (party.visitor_id !== undefined) keys.push(`visitor:${party.visitor_id}`);
    const custom_fields = await this.directory.newCustomValues(organizationId, 'contacts', null);
    return { keys, email_key, phone_key, party, custom_fields };
  }

  /** The contact of a party, with the append for a new contact or for what a known visitor now tells. */
  async match(
    tx: Transaction,
    organizationId: string,
    { party, email_key, phone_key, custom_fields }: Identified,
  ): Promise<Person> {
    if (party?.contact_id !== undefined) {
      const id = party.contact_id;
      return { id, append: null, requires: [required('contact', id, () => unknownContact(id))] };
    }
    const { name, email, phone_number, visitor_id } = party!;
    const match =
      email_key === null && phone_key === null
        ? undefined
        : await this.crm.matchingContact(tx, organizationId, { email_key, phone_key });
    if (match) {
      const id = match.contact_id;
      this.store.lock(tx, organizationId, [id]);
      return { id, append: null, requires: [required('contact', id, () => new ContactGone())] };
    }
    const visitor =
      visitor_id === undefined
        ? null
        : await this.knownVisitor(tx, organizationId, visitor_id, { name, email, phone_number, phone_key });
    if (visitor) return visitor;
    return newPerson({
      name: name + email + phone_number === '' && visitor_id !== undefined ? visitorName(visitor_id) : name,
      email,
      phone_number,
      phone_key,
      custom_fields,
    });
  }

  /**
   * The contact that the visitor was last known as, with what the visitor now tells. Null when there is none, or when the
   * visitor tells an address or number other than the contact's.
   */
  private async knownVisitor(
    tx: Transaction,
    organizationId: string,
    visitorId: string,
    told: Told,
  ): Promise<Person | null> {
    const id = await this.queries.contactOfVisitor(tx, organizationId, visitorId);
    if (id === null) return null;
    this.store.lock(tx, organizationId, [id]);
    const current = await this.store.load<Contact>(tx, organizationId, contacts, id);
    const changes = current.state && toldBy(current.state, visitorId, told);
    if (changes === null) return null;
    const events = contact.decide(current.state, { type: 'UpdateContact', changes });
    return { id, append: events.length > 0 ? appendTo(contacts, id, current, events) : null, requires: [] };
  }
}

const unknownContact = (id: string, field = 'contact.contact_id'): Error =>
  new RuleViolation('validation_failed', `there is no contact ${id}`, field);

type Told = Pick<Contact, 'name' | 'email' | 'phone_number' | 'phone_key'>;

function newPerson(told: Told & Pick<Contact, 'custom_fields'>): Person {
  const contact_id = newId('contact');
  const events = contact.decide(null, {
    type: 'CreateContact',
    contact_id,
    ...told,
    company_id: null,
    company_role: null,
    created_at: now(),
  });
  return { id: contact_id, append: appendTo(contacts, contact_id, NEW, events), requires: [] };
}

/**
 * The contact with what a visitor tells that it lacks. Null for a different person: no contact has the address or number
 * that the visitor tells, as `match` looked by both first, and this one has another.
 */
function toldBy({ name, email, phone_number, phone_key }: Told, visitorId: string, told: Told): Told | null {
  if ((email !== '' && told.email !== '') || (phone_number !== '' && told.phone_number !== '')) return null;
  const isNameless = name === '' || name === visitorName(visitorId);
  return {
    name: isNameless && told.name !== '' ? told.name : name,
    email: email || told.email,
    phone_number: phone_number || told.phone_number,
    phone_key: phone_key ?? told.phone_key,
  };
}
