import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { EventStore } from '#event-store/event-store.js';
import { notFound } from '#http/problem.js';
import { atVersion } from '#http/versioned.js';
import { Directory } from '../workspace/workspace.contract.js';
import { company } from './company.js';
import type { CompanyResponse, UpdateCompanyBody } from './crm.dto.js';
import { companies } from './crm.projection.js';

/** Changes the named fields of a company, with the rules of creation. */
export class ChangeCompany {
  constructor(
    readonly context: Context,
    readonly companyId: string,
    readonly body: UpdateCompanyBody,
  ) {}
}

@CommandHandler(ChangeCompany)
export class ChangeCompanyHandler implements ICommandHandler<ChangeCompany, CompanyResponse> {
  constructor(
    private readonly store: EventStore,
    private readonly directory: Directory,
  ) {}

  async execute({ context, companyId, body }: ChangeCompany): Promise<CompanyResponse> {
    if (!isId('company', companyId)) throw notFound('company', companyId);
    const { organizationId } = context;
    if (body.agent_id != null) await this.directory.existingAgent(organizationId, body.agent_id);
    if (body.custom_fields)
      await this.directory.checkCustomValues(organizationId, 'companies', body.custom_fields);
    const { state, version } = await this.store.change(context, companies, companyId, ({ state }) => {
      if (!state) throw notFound('company', companyId);
      return company.decide(state, { type: 'ChangeCompany', changes: { ...body } });
    });
    return atVersion(state!, version);
  }
}
