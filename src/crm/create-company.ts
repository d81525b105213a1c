import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { inOrder } from '#kernel/in-order.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { atVersion } from '#http/versions/versioned.js';
import { Directory } from '../workspace/workspace.contract.js';
import { company, type Company, COMPANY_FIELDS } from './company.js';
import type { CompanyResponse, CreateCompanyBody } from './crm.dto.js';
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
    const { organizationId } = context;
    const company_id = newId('company');
    const events = company.decide(null, {
      type: 'CreateCompany',
      company_id,
      name: body.name,
      domain: body.domain ?? null,
      custom_fields: await this.directory.newCustomValues(
        organizationId,
        'companies',
        body.custom_fields ?? null,
      ),
      address: body.address ?? null,
      agent_id: body.agent_id ?? null,
      created_at: now(),
    });
    if (body.agent_id != null) await this.directory.existingAgent(organizationId, body.agent_id);
    const [created] = await this.store.append(context, [appendTo(companies, company_id, NEW, events)]);
    return atVersion(shownCompany(created!.state as Company), created!.version);
  }
}

/** The company as the contract shows it. */
export const shownCompany = (company: Company): CompanyResponse => inOrder(company, COMPANY_FIELDS);
