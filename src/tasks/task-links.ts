import { Injectable } from '@nestjs/common';
import { RuleViolation } from '#kernel/decider.js';
import { CrmQueries } from '../crm/crm.contract.js';
import { SalesQueries } from '../sales/sales.contract.js';
import { Directory } from '../workspace/workspace.contract.js';
import type { UpdateTaskBody } from './tasks.dto.js';

/** Checks the ids in a task's body. Unknown ones are `validation_failed`, naming the field. */
@Injectable()
export class TaskLinks {
  constructor(
    private readonly crm: CrmQueries,
    private readonly sales: SalesQueries,
    private readonly directory: Directory,
  ) {}

  async check(
    organizationId: string,
    { agent_id, company_id, contact_id, sale_id }: Omit<UpdateTaskBody, 'title'>,
  ): Promise<void> {
    await this.directory.requireAgent(organizationId, agent_id);
    if (company_id != null && !(await this.crm.company(organizationId, company_id)))
      throw unknown('company', company_id);
    if (contact_id != null && !(await this.crm.contact(organizationId, contact_id)))
      throw unknown('contact', contact_id);
    if (sale_id != null && !(await this.sales.sale(organizationId, sale_id))) throw unknown('sale', sale_id);
  }
}

const unknown = (what: string, id: string) =>
  new RuleViolation('validation_failed', `there is no ${what} ${id} in this organization`, `${what}_id`);
