import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { Expandable } from '#http/expansion/expandable.js';
import { ApiPage, type Page } from '#http/paging/page.dto.js';
import { notFound } from '#http/problems/problem.js';
import { Versioned } from '#http/versions/versioned.js';
import { UpdateCompany } from './update-company.js';
import { CreateCompany } from './create-company.js';
import { COMPANY_EXPANSIONS } from './crm-records.js';
import { CompanyResponse, CreateCompanyBody, ListCompaniesQuery, UpdateCompanyBody } from './crm.dto.js';
import { CrmQueries } from './crm.queries.js';

@ApiTags('Companies')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/companies')
export class CompaniesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: CrmQueries,
  ) {}

  /** List companies, newest first. */
  @Get()
  @Expandable(COMPANY_EXPANSIONS)
  @ApiPage(CompanyResponse)
  list(
    @OrganizationId() organizationId: string,
    @Query() query: ListCompaniesQuery,
  ): Promise<Page<CompanyResponse>> {
    return this.queries.listCompanies(organizationId, query);
  }

  /** Create a company. */
  @Post()
  @Versioned()
  @ApiProblems(403)
  create(@Ctx() context: Context, @Body() body: CreateCompanyBody): Promise<CompanyResponse> {
    return this.commands.execute(new CreateCompany(context, body));
  }

  /** Show one company. */
  @Get(':company_id')
  @Expandable(COMPANY_EXPANSIONS)
  @Versioned()
  async get(
    @OrganizationId() organizationId: string,
    @Param('company_id') companyId: string,
  ): Promise<CompanyResponse> {
    const company = await this.queries.company(organizationId, companyId);
    if (!company) throw notFound('company', companyId);
    return company;
  }

  /** Change a company. */
  @Patch(':company_id')
  @Versioned()
  @ApiProblems(403, 409)
  change(
    @Param('company_id') companyId: string,
    @Ctx() context: Context,
    @Body() body: UpdateCompanyBody,
  ): Promise<CompanyResponse> {
    return this.commands.execute(new UpdateCompany(context, companyId, body));
  }
}
