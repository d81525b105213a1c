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
import { atVersion } from '#http/versions/versioned.js';
import { type BatchResponse, createBatch } from '#http/records/batch.js';
import { claimingExternalId } from '#http/records/claim-external-id.js';
import { Directory } from '../workspace/workspace.contract.js';
import { company, type Company, COMPANY_FIELDS } from './company.js';
import { type CompanyResponse, CreateCompanyBody } from './crm.dto.js';
import { companies } from './crm.projection.js';

/** Creates a company. Refuses an unknown agent (404) and custom values that break their definitions (400). */
export class CreateCompany extends Command<CompanyResponse> {
  constructor(
    readonly context: Context,
    readonly body: CreateCompanyBody,
  ) {
    super();
  }
}

@CommandHandler(CreateCompany)
export class CreateCompanyHandler implements ICommandHandler<CreateCompany> {
  constructor(
    private readonly store: EventStore,
    private readonly directory: Directory,
  ) {}

  async execute({ context, body }: CreateCompany): Promise<CompanyResponse> {
    return create(this.store, context, await planCompany(this.directory, context, body));
  }
}

/** Creates companies, each decided alone. */
export class CreateCompanies extends Command<BatchResponse<CompanyResponse>> {
  constructor(
    readonly context: Context,
    readonly url: string,
    readonly batch: unknown,
  ) {
    super();
  }
}

@CommandHandler(CreateCompanies)
export class CreateCompaniesHandler implements ICommandHandler<CreateCompanies> {
  constructor(
    private readonly store: EventStore,
    private readonly directory: Directory,
  ) {}

  execute({ context, url, batch }: CreateCompanies): Promise<BatchResponse<CompanyResponse>> {
    return createBatch(this.store, context, url, batch, CreateCompanyBody, (body) =>
      planCompany(this.directory, context, body),
    );
  }
}

async function planCompany(
  directory: Directory,
  context: Context,
  body: CreateCompanyBody,
): Promise<Creation<CompanyResponse>> {
  const { organizationId } = context;
  const company_id = newId('company');
  const events = company.decide(null, {
    type: 'CreateCompany',
    company_id,
    name: body.name,
    domain: body.domain ?? null,
    custom_fields: await directory.newCustomValues(organizationId, 'companies', body.custom_fields ?? null),
    address: body.address ?? null,
    agent_id: body.agent_id ?? null,
    created_at: now(),
    ...newReference(body),
  });
  if (body.agent_id != null) await directory.existingAgent(organizationId, body.agent_id);
  return {
    append: appendTo(companies, company_id, NEW, events),
    claim: claimingExternalId(companies, context, company_id, body.external_id),
    shown: ({ state, version }) => atVersion(shownCompany(state as Company), version),
  };
}

/** The company as the contract shows it. */
export const shownCompany = (company: Company): CompanyResponse =>
  inOrder(company as Stamped<Company>, [...COMPANY_FIELDS, 'tags', 'updated_at']);
