import type { Named } from '#kernel/named.js';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '#database/statements/statement.js';
import { EventStore } from '#event-store/event-store.js';
import type { Required } from '#event-store/required.js';
import { type Contact, contacts } from '../../crm/crm.contract.js';
import { type Author, NAMELESS, type RecordedMessage } from '../message.js';
import { ContactMatcher, type Identified, type Person } from './contact-matcher.js';
import type { MessageToRecord, Party } from './message-to-record.js';

/** Authors of one mail at most, beside the first. */
const MOST = 20;

/** The authors of a received message beside its party, each with the keys it is matched by. */
export interface IdentifiedAuthors {
  /** Null where the party wrote it. */
  writer: Identified | null;
  others: Identified[];
}

/** What a message says of its authors, and the contacts that this makes. */
export interface MatchedAuthors {
  from: Author;
  also_by?: string[];
  made: Person[];
  /** Records that must still be there when the message is recorded. */
  requires: Required[];
}

/** Knows who wrote a message. Each author of a received one is matched, or made a contact, like its party. */
@Injectable()
export class Authors {
  constructor(
    private readonly contacts: ContactMatcher,
    private readonly store: EventStore,
  ) {}

  /** Who else than the party wrote it; found before any lock is taken. Throws `RuleViolation` for an unknown contact. */
  async identify(
    organizationId: string,
    { message_direction, conversation_id, written_by, co_authors = [] }: MessageToRecord,
    party: Identified,
  ): Promise<IdentifiedAuthors> {
    if (message_direction === 'sent') return { writer: null, others: [] };
    // A given conversation has its contact: whoever is named beside it wrote this message.
    const isBeside = conversation_id !== null && party.keys.length > 0;
    const known = conversation_id === null ? [party] : [];
    /** Null for one who is known already. */
    const another = async (author: Party): Promise<Identified | null> => {
      const found = await this.contacts.identify(organizationId, author, 'from.contact_id');
      if (known.some((one) => isSame(one, found))) return null;
      known.push(found);
      return found;
    };
    const writer = written_by ? await another(written_by) : isBeside ? party : null;
    if (writer === party) known.push(party);
    const others: Identified[] = [];
    for (const { name, email } of co_authors.slice(0, MOST)) {
      const other = await another({ name: name ?? '', email: email ?? '', phone_number: '' });
      if (other) others.push(other);
    }
    return { writer, others };
  }

  /** Matches them under the locks of their keys. `contactId` is the party's contact, or the conversation's. */
  async match(
    tx: Transaction,
    organizationId: string,
    { message_direction, from, party }: MessageToRecord,
    contactId: string | null,
    { writer, others }: IdentifiedAuthors,
  ): Promise<MatchedAuthors> {
    if (message_direction === 'sent') return { from: { ...NAMELESS, ...from }, made: [], requires: [] };
    const people: Person[] = [];
    for (const one of [...(writer ? [writer] : []), ...others])
      people.push(await this.contacts.match(tx, organizationId, one));
    const contact_id = writer ? people[0]!.id : contactId;
    const also = people.map(({ id }) => id).filter((id) => id !== contact_id);
    return {
      from: {
        ...NAMELESS,
        ...(from ?? (await this.named(tx, organizationId, writer?.party ?? party, contact_id))),
        contact_id,
      },
      ...(also.length > 0 && { also_by: [...new Set(also)] }),
      made: people.filter(({ append }) => append !== null),
      requires: people.flatMap(({ requires }) => requires),
    };
  }

  /** The author as the party was named, else as the contact is known. */
  private async named(
    tx: Transaction,
    organizationId: string,
    party: Party | null,
    contactId: string | null,
  ): Promise<Named | undefined> {
    const known =
      party !== null && party.contact_id === undefined
        ? party
        : contactId !== null &&
          (await this.store.load<Contact>(tx, organizationId, contacts, contactId)).state;
    if (!known) return undefined;
    return {
      name: known.name || null,
      email: known.email || null,
      phone_number: known.phone_number || null,
    };
  }
}

const isSame = (one: Identified, other: Identified): boolean =>
  one.keys.some((key) => other.keys.includes(key));

/** What the message says of its authors. */
export const authored = ({ from, also_by }: MatchedAuthors): Pick<RecordedMessage, 'from' | 'also_by'> => ({
  from,
  ...(also_by && { also_by }),
});
