import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import type { Versioned } from '#event-store/change.js';
import { EventStore } from '#event-store/event-store.js';
import { pathFirst } from '#http/path-first.js';
import { notFound } from '#http/problems/problem.js';
import { atVersion } from '#http/versions/versioned.js';
import { claimingExternalId } from '#http/records/claim-external-id.js';
import { TagQueries } from '../tags/tags.contract.js';
import { Directory } from '../workspace/workspace.contract.js';
import { contact, type Contact, type ContactChanges } from './contact.js';
import { employerOf, shownContact } from './create-contact.js';
import type { ContactResponse, UpdateContactBody } from './crm.dto.js';
import { contacts } from './crm.projection.js';
import { CrmQueries } from './crm.queries.js';

/** Changes the named fields of a contact, with the rules of creation. */
export class UpdateContact extends Command<ContactResponse> {
  constructor(
    readonly context: Context,
    readonly contactId: string,
    readonly body: UpdateContactBody,
  ) {
    super();
  }
}

@CommandHandler(UpdateContact)
export class UpdateContactHandler implements ICommandHandler<UpdateContact> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: CrmQueries,
    private readonly directory: Directory,
    private readonly tags: TagQueries,
  ) {}

  execute(command: UpdateContact): Promise<ContactResponse> {
    const { context, contactId } = command;
    return this.update(command).catch(
      this.queries.tellingMerged(context.organizationId, 'contact', contactId),
    );
  }

  private async update({ context, contactId, body }: UpdateContact): Promise<ContactResponse> {
    if (!isId('contact', contactId)) throw notFound('contact', contactId);
    const { organizationId } = context;
    const missing = () => notFound('contact', contactId);
    const changes = await this.read(organizationId, body).catch(
      pathFirst(this.store, context, contacts, contactId, missing),
    );
    const decide = ({ state }: Versioned<Contact>) => {
      if (!state) throw missing();
      return contact.decide(state, { type: 'UpdateContact', changes });
    };
    const { state, version } = await this.store.change(
      context,
      contacts,
      contactId,
      decide,
      employerOf(body),
      claimingExternalId(contacts, context, contactId, body.external_id),
    );
    return this.tags.present(context.organizationId, atVersion(shownContact(state!), version));
  }

  private async read(organizationId: string, body: UpdateContactBody): Promise<ContactChanges> {
    const { company_id, company_role, custom_fields, phone_number } = body;
    if (custom_fields) await this.directory.checkCustomValues(organizationId, 'contacts', custom_fields);
    return {
      ...(body.name !== undefined && { name: body.name ?? '' }),
      ...(body.email !== undefined && { email: body.email ?? '' }),
      ...(phone_number !== undefined && {
        phone_number: phone_number ?? '',
        phone_key: await this.queries.phoneKey(organizationId, phone_number ?? ''),
      }),
      ...(company_id !== undefined && { company_id }),
      ...(company_role !== undefined && { company_role }),
      ...(custom_fields !== undefined && { custom_fields }),
      ...(body.external_id !== undefined && { external_id: body.external_id }),
      ...(body.metadata !== undefined && { metadata: body.metadata }),
    };
  }
}
