import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { inOrder } from '#kernel/in-order.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { required, type Required } from '#event-store/required.js';
import { notFound } from '#http/problems/problem.js';
import { atVersion } from '#http/versions/versioned.js';
import { Directory } from '../workspace/workspace.contract.js';
import { contact, type Contact, type ContactCommand, CONTACT_FIELDS } from './contact.js';
import type { ContactResponse, CreateContactBody } from './crm.dto.js';
import { contacts } from './crm.projection.js';
import { CrmQueries } from './crm.queries.js';

/** Creates a contact. Refuses an unknown company (404) and custom values that break their definitions (400). */
export class CreateContact extends Command<ContactResponse> {
  constructor(
    readonly context: Context,
    readonly body: CreateContactBody,
  ) {
    super();
  }
}

@CommandHandler(CreateContact)
export class CreateContactHandler implements ICommandHandler<CreateContact> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: CrmQueries,
    private readonly directory: Directory,
  ) {}

  async execute({ context, body }: CreateContact): Promise<ContactResponse> {
    const { organizationId } = context;
    const requires = employerOf(body);
    const command = await newContact(this.queries, this.directory, organizationId, body);
    const { contact_id } = command;
    const events = contact.decide(null, command);
    const [created] = await this.store.append(context, [
      appendTo(contacts, contact_id, NEW, events, requires),
    ]);
    return atVersion(shownContact(created!.state as Contact), created!.version);
  }
}

export type NewContact = Extract<ContactCommand, { type: 'CreateContact' }>;

/** The append that creates a body's contact. Refuses custom values that break their definitions (400). */
export async function newContact(
  queries: CrmQueries,
  directory: Directory,
  organizationId: string,
  body: CreateContactBody,
): Promise<NewContact> {
  const phone_number = body.phone_number ?? '';
  return {
    type: 'CreateContact',
    contact_id: newId('contact'),
    name: body.name ?? '',
    email: body.email ?? '',
    phone_number,
    phone_key: phone_number === '' ? null : await queries.phoneKey(organizationId, phone_number),
    company_id: body.company_id ?? null,
    company_role: body.company_role ?? null,
    custom_fields: await directory.newCustomValues(organizationId, 'contacts', body.custom_fields ?? null),
    created_at: now(),
  };
}

/** Requires that the company named by a body exists (404). */
export const employerOf = ({ company_id }: { company_id?: string | null }): Required[] =>
  company_id == null ? [] : [required('company', company_id, () => notFound('company', company_id))];

/** The contact as the contract shows it. */
export const shownContact = (contact: Contact): ContactResponse => inOrder(contact, CONTACT_FIELDS);
