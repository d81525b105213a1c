import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { newReference } from '#kernel/external-reference.js';
import { inOrder } from '#kernel/in-order.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { appendTo, NEW } from '#event-store/append.js';
import type { Stamped } from '#event-store/rows.js';
import { create, type Creation } from '#event-store/creation.js';
import { EventStore } from '#event-store/event-store.js';
import { required, type Required } from '#event-store/required.js';
import { notFound } from '#http/problems/problem.js';
import { atVersion } from '#http/versions/versioned.js';
import { type BatchResponse, createBatch } from '#http/records/batch.js';
import { claimingExternalId } from '#http/records/claim-external-id.js';
import { Directory } from '../workspace/workspace.contract.js';
import { contact, type Contact, type ContactCommand, CONTACT_FIELDS, OTHERS_FIELDS } from './contact.js';
import { type ContactResponse, CreateContactBody } from './crm.dto.js';
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
    return create(this.store, context, await planContact(this.queries, this.directory, context, body));
  }
}

/** Creates contacts, each decided alone. */
export class CreateContacts extends Command<BatchResponse<ContactResponse>> {
  constructor(
    readonly context: Context,
    readonly url: string,
    readonly batch: unknown,
  ) {
    super();
  }
}

@CommandHandler(CreateContacts)
export class CreateContactsHandler implements ICommandHandler<CreateContacts> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: CrmQueries,
    private readonly directory: Directory,
  ) {}

  execute({ context, url, batch }: CreateContacts): Promise<BatchResponse<ContactResponse>> {
    return createBatch(this.store, context, url, batch, CreateContactBody, (body) =>
      planContact(this.queries, this.directory, context, body),
    );
  }
}

async function planContact(
  queries: CrmQueries,
  directory: Directory,
  context: Context,
  body: CreateContactBody,
): Promise<Creation<ContactResponse>> {
  const requires = employerOf(body);
  const command = await newContact(queries, directory, context.organizationId, body);
  const { contact_id } = command;
  const events = contact.decide(null, command);
  return {
    append: appendTo(contacts, contact_id, NEW, events, requires),
    claim: claimingExternalId(contacts, context, contact_id, body.external_id),
    shown: ({ state, version }) => atVersion(shownContact(state as Contact), version),
  };
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
    ...newReference(body),
  };
}

/** Requires that the company named by a body exists (404). */
export const employerOf = ({ company_id }: { company_id?: string | null }): Required[] =>
  company_id == null ? [] : [required('company', company_id, () => notFound('company', company_id))];

/** The contact as the contract shows it. */
export const shownContact = (contact: Contact): ContactResponse =>
  inOrder(contact as Stamped<Contact>, [...CONTACT_FIELDS, ...OTHERS_FIELDS, 'tags', 'updated_at']);
