import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Context } from '#kernel/context.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { ApiPage, type Page, UpdatedPageQuery } from '#http/paging/page.dto.js';
import { Expandable } from '#http/expansion/expandable.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { ApiUpsert, type Upsert, Upserts } from '#http/records/upsert.js';
import { notFound } from '#http/problems/problem.js';
import { Versioned } from '#http/versions/versioned.js';
import { ChangeTags, ChangeTagsBody } from '../tags/tags.contract.js';
import { Directory } from '../workspace/workspace.contract.js';
import { OpenSale } from './open-sale.js';
import { SaleStatusListResponse } from './pipeline.dto.js';
import { QuoteSale } from './quote-sale.js';
import { SALE_EXPANSIONS } from './sale-records.js';
import { CreateSaleBody, ListSalesQuery, QuoteBody, SaleResponse, UpdateSaleBody } from './sales.dto.js';
import { SalesQueries } from './sales.queries.js';
import { UpdateSale } from './update-sale.js';
import { sales } from './sales.projection.js';
import { DeleteSale } from './delete-sale.js';

const UPSERT: Upsert<CreateSaleBody, UpdateSaleBody, SaleResponse> = {
  aggregate: sales,
  bodyOfCreation: CreateSaleBody,
  bodyOfChange: UpdateSaleBody,
  create: (context, body) => new OpenSale(context, body),
  change: (context, id, body) => new UpdateSale(context, id, body, { entersAgain: false }),
};

@ApiTags('Sales')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id')
export class SalesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly upserts: Upserts,
    private readonly queries: SalesQueries,
    private readonly directory: Directory,
  ) {}

  /** List sales, the latest activity first. */
  @Get('sales')
  @Expandable(SALE_EXPANSIONS)
  @ApiPage(SaleResponse)
  list(
    @OrganizationId() organizationId: string,
    @Query() query: ListSalesQuery,
  ): Promise<Page<SaleResponse>> {
    return this.queries.list(organizationId, query);
  }

  /** Open a sale in a stage of the pipeline. */
  @Post('sales')
  @Versioned()
  @ApiProblems(403)
  open(@Ctx() context: Context, @Body() body: CreateSaleBody): Promise<SaleResponse> {
    return this.commands.execute(new OpenSale(context, body));
  }

  /**
   * Make the sale with an external id of yours, or change the fields that the body names.
   *
   * The same request again changes nothing, and of many at once one makes it.
   */
  @Put('sales/by-external-id/:external_id')
  @Versioned({ ifMatch: true })
  @ApiUpsert(UpdateSaleBody, SaleResponse)
  @ApiProblems(403, 409)
  put(
    @Param('external_id') externalId: string,
    @Ctx() context: Context,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SaleResponse> {
    return this.upserts.put(context, externalId, body, reply, UPSERT);
  }

  /** Show one sale. */
  @Get('sales/:sale_id')
  @Expandable(SALE_EXPANSIONS)
  @Versioned()
  async get(
    @OrganizationId() organizationId: string,
    @Param('sale_id') saleId: string,
  ): Promise<SaleResponse> {
    const sale = await this.queries.sale(organizationId, saleId);
    if (!sale) throw notFound('sale', saleId);
    return sale;
  }

  /** Change a sale: move it to another stage, or change its links and custom values. All of it is done, or nothing. */
  @Patch('sales/:sale_id')
  @Versioned()
  @ApiProblems(403, 409)
  update(
    @Param('sale_id') saleId: string,
    @Ctx() context: Context,
    @Body() body: UpdateSaleBody,
  ): Promise<SaleResponse> {
    return this.commands.execute(new UpdateSale(context, saleId, body));
  }

  /** Give a sale tags, and take others away. What it has already, or has not, changes nothing: two who tag at once lose nothing. */
  @Post('sales/:sale_id/tags')
  @HttpCode(200)
  @Versioned({ ifMatch: true })
  @ApiProblems(403, 409)
  async tag(
    @Param('sale_id') saleId: string,
    @Ctx() context: Context,
    @Body() body: ChangeTagsBody,
  ): Promise<SaleResponse> {
    await this.commands.execute(new ChangeTags(context, 'sale', saleId, body));
    return this.get(context.organizationId, saleId);
  }

  /** Delete a sale. The figures are as if it had never been. */
  @Delete('sales/:sale_id')
  @HttpCode(204)
  @ApiProblems(403)
  remove(@Param('sale_id') saleId: string, @Ctx() context: Context): Promise<void> {
    return this.commands.execute(new DeleteSale(context, saleId));
  }

  /** Give a sale its quote, in place of the one before. The total is the exact sum. */
  @Put('sales/:sale_id/quote')
  @Versioned({ ifMatch: true })
  @ApiProblems(403, 409)
  quote(
    @Param('sale_id') saleId: string,
    @Ctx() context: Context,
    @Body() body: QuoteBody,
  ): Promise<SaleResponse> {
    return this.commands.execute(new QuoteSale(context, saleId, body));
  }

  /** List the sales that an agent owns, the latest activity first. */
  @Get('agents/:agent_id/sales')
  @Expandable(SALE_EXPANSIONS)
  @ApiPage(SaleResponse)
  async listOfAgent(
    @OrganizationId() organizationId: string,
    @Param('agent_id') agentId: string,
    @Query() query: UpdatedPageQuery,
  ): Promise<Page<SaleResponse>> {
    await this.directory.existingAgent(organizationId, agentId);
    return this.queries.listOfAgent(organizationId, agentId, query);
  }

  /** List the stages of the pipeline in order. */
  @Get('sale-statuses')
  async statuses(@OrganizationId() organizationId: string): Promise<SaleStatusListResponse> {
    return { data: await this.directory.stages(organizationId) };
  }
}
