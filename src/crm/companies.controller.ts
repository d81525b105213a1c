import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { ApiBatch, type BatchResponse } from '#http/records/batch.js';
import { ApiUpsert, type Upsert, Upserts } from '#http/records/upsert.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { Expandable } from '#http/expansion/expandable.js';
import { ApiPage, type Page } from '#http/paging/page.dto.js';
import { Versioned } from '#http/versions/versioned.js';
import { UpdateCompany } from './update-company.js';
import { ChangeTags, ChangeTagsBody } from '../tags/tags.contract.js';
import { CreateCompanies, CreateCompany } from './create-company.js';
import {
  CompanyResponse,
  CreateCompanyBody,
  ListCompaniesQuery,
  MergeCompanyBody,
  UpdateCompanyBody,
} from './crm.dto.js';
import { COMPANY_EXPANSIONS } from './crm-records.js';
import { CrmQueries } from './crm.queries.js';
import { companies } from './crm.projection.js';
import { DeleteCompany } from './delete-company.js';
import { MergeCompany } from './merge-company.js';

const UPSERT: Upsert<CreateCompanyBody, UpdateCompanyBody, CompanyResponse> = {
  aggregate: companies,
  bodyOfCreation: CreateCompanyBody,
  bodyOfChange: UpdateCompanyBody,
  create: (context, body) => new CreateCompany(context, body),
  change: (context, id, body) => new UpdateCompany(context, id, body),
};

@ApiTags('Companies')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/companies')
export class CompaniesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly upserts: Upserts,
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

  /**
   * Make the company with an external id of yours, or change the fields that the body names.
   *
   * The same request again changes nothing, and of many at once one makes it.
   */
  @Put('by-external-id/:external_id')
  @Versioned({ ifMatch: true })
  @ApiUpsert(UpdateCompanyBody, CompanyResponse)
  @ApiProblems(403, 409)
  put(
    @Param('external_id') externalId: string,
    @Ctx() context: Context,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CompanyResponse> {
    return this.upserts.put(context, externalId, body, reply, UPSERT);
  }

  /** Create up to 200 companies, each decided alone. */
  @Post('batch')
  @HttpCode(200)
  @ApiBatch(CreateCompanyBody, CompanyResponse)
  @ApiProblems(403)
  createMany(
    @Ctx() context: Context,
    @Req() request: FastifyRequest,
    @Body() batch: unknown,
  ): Promise<BatchResponse<CompanyResponse>> {
    return this.commands.execute(new CreateCompanies(context, request.url, batch));
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
    if (!company) throw await this.queries.missing(organizationId, 'company', companyId);
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

  /** Delete a company. 409 where it is the last party of a sale. */
  @Delete(':company_id')
  @HttpCode(204)
  @ApiProblems(403, 409)
  remove(@Param('company_id') companyId: string, @Ctx() context: Context): Promise<void> {
    return this.commands.execute(new DeleteCompany(context, companyId));
  }

  /**
   * Merge another company into this one, which takes over all that links to it and what it lacks itself.
   *
   * The other one's id answers 404 `merged` from then on, with a hint to this one. Two mergers of the same at once: one is refused.
   */
  @Post(':company_id/merge')
  @HttpCode(200)
  @Versioned({ ifMatch: true })
  @ApiProblems(403, 409)
  merge(
    @Param('company_id') companyId: string,
    @Ctx() context: Context,
    @Body() { from_company_id }: MergeCompanyBody,
  ): Promise<CompanyResponse> {
    return this.commands.execute(new MergeCompany(context, companyId, from_company_id));
  }

  /** Give a company tags, and take others away. What it has already, or has not, changes nothing: two who tag at once lose nothing. */
  @Post(':company_id/tags')
  @HttpCode(200)
  @Versioned({ ifMatch: true })
  @ApiProblems(403, 409)
  async tag(
    @Param('company_id') companyId: string,
    @Ctx() context: Context,
    @Body() body: ChangeTagsBody,
  ): Promise<CompanyResponse> {
    await this.commands.execute(new ChangeTags(context, 'company', companyId, body));
    return this.get(context.organizationId, companyId);
  }
}
