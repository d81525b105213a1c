import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { RecordLinks } from '#event-store/record-links.js';
import { mergeRecord } from '#http/records/merge-record.js';
import { atVersion } from '#http/versions/versioned.js';
import { TagQueries } from '../tags/tags.contract.js';
import { contact, type Contact, personLock } from './contact.js';
import { shownContact } from './create-contact.js';
import type { ContactResponse } from './crm.dto.js';
import { contacts } from './crm.projection.js';
import { CrmQueries } from './crm.queries.js';

/** Merges another contact into one; see `mergeRecord`. */
export class MergeContact extends Command<ContactResponse> {
  constructor(
    readonly context: Context,
    readonly contactId: string,
    readonly fromId: string,
  ) {
    super();
  }
}

@CommandHandler(MergeContact)
export class MergeContactHandler implements ICommandHandler<MergeContact> {
  constructor(
    private readonly store: EventStore,
    private readonly links: RecordLinks,
    private readonly queries: CrmQueries,
    private readonly tags: TagQueries,
  ) {}

  async execute({ context, contactId, fromId }: MergeContact): Promise<ContactResponse> {
    const { state, version } = await mergeRecord(this.store, this.links, {
      context,
      aggregate: contacts,
      kind: 'contact',
      id: contactId,
      fromId,
      field: 'from_contact_id',
      missing: () => this.queries.missing(context.organizationId, 'contact', contactId),
      locks: (record, from) => [...personLocks(record), ...personLocks(from)],
      decide: (record, from) => [
        contact.decide(record, { type: 'TakeOver', from }),
        contact.decide(from, { type: 'MergeInto', into_contact_id: contactId }),
      ],
    });
    return this.tags.present(context.organizationId, atVersion(shownContact(state!), version));
  }
}

/** Held by whoever records what one of these addresses or numbers sends. */
const personLocks = ({ email_key, phone_key, merged_keys }: Contact): string[] =>
  [email_key, phone_key, ...merged_keys.map((key) => key.slice(key.indexOf(':') + 1))]
    .filter((key) => key !== null)
    .map(personLock);
