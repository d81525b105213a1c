import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { EventStore } from '#event-store/event-store.js';
import { pathFirst } from '#http/path-first.js';
import { notFound } from '#http/problems/problem.js';
import { atVersion } from '#http/versions/versioned.js';
import { claimingExternalId } from '#http/records/claim-external-id.js';
import { TagQueries } from '../tags/tags.contract.js';
import { Directory } from '../workspace/workspace.contract.js';
import { company, type Company } from './company.js';
import { shownCompany } from './create-company.js';
import type { CompanyResponse, UpdateCompanyBody } from './crm.dto.js';
import { companies } from './crm.projection.js';
import { CrmQueries } from './crm.queries.js';

/** Changes the named fields of a company, with the rules of creation. */
export class UpdateCompany extends Command<CompanyResponse> {
  constructor(
    readonly context: Context,
    readonly companyId: string,
    readonly body: UpdateCompanyBody,
  ) {
    super();
  }
}

@CommandHandler(UpdateCompany)
export class UpdateCompanyHandler implements ICommandHandler<UpdateCompany> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: CrmQueries,
    private readonly directory: Directory,
    private readonly tags: TagQueries,
  ) {}

  execute(command: UpdateCompany): Promise<CompanyResponse> {
    const { context, companyId } = command;
    return this.update(command).catch(
      this.queries.tellingMerged(context.organizationId, 'company', companyId),
    );
  }

  private async update({ context, companyId, body }: UpdateCompany): Promise<CompanyResponse> {
    if (!isId('company', companyId)) throw notFound('company', companyId);
    const { organizationId } = context;
    const missing = () => notFound('company', companyId);
    await this.check(organizationId, body).catch(
      pathFirst(this.store, context, companies, companyId, missing),
    );
    const decide = ({ state }: { state: Company | null }) => {
      if (!state) throw missing();
      return company.decide(state, { type: 'UpdateCompany', changes: { ...body } });
    };
    const { state, version } = await this.store.change(
      context,
      companies,
      companyId,
      decide,
      [],
      claimingExternalId(companies, context, companyId, body.external_id),
    );
    return this.tags.present(context.organizationId, atVersion(shownCompany(state!), version));
  }

  private async check(organizationId: string, { agent_id, custom_fields }: UpdateCompanyBody): Promise<void> {
    if (agent_id != null) await this.directory.existingAgent(organizationId, agent_id);
    if (custom_fields) await this.directory.checkCustomValues(organizationId, 'companies', custom_fields);
  }
}
