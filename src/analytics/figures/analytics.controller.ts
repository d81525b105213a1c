import { Controller, Get, Query } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { OrganizationId } from '#http/access/caller.js';
import { ApiPage, type Page } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import {
  AnalyticsQuery,
  ConversationAnalyticsResponse,
  ModalityResponse,
  ResponseRateResponse,
  ResponseTimeResponse,
  SaleAnalyticsResponse,
  SalesAnalyticsQuery,
  VolumeResponse,
} from './analytics.dto.js';
import { AnalyticsQueries } from './analytics.queries.js';
import { Explanations } from './explain.js';
import { AnalyticsRecordResponse, ListRecordsQuery } from './records.dto.js';
import { RecordsQueries } from './records.queries.js';

@ApiTags('Analytics')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/analytics')
export class AnalyticsController {
  constructor(
    private readonly queries: AnalyticsQueries,
    private readonly explanations: Explanations,
    private readonly records: RecordsQueries,
  ) {}

  /** Show how conversations went in a window of time. */
  @Get('conversations')
  conversations(
    @OrganizationId() organizationId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<ConversationAnalyticsResponse> {
    return this.explanations.with(this.queries.conversations(organizationId, query), query, organizationId);
  }

  /** Show how many of the conversations received in the window were responded to. */
  @Get('conversations/response-rate')
  responseRate(
    @OrganizationId() organizationId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<ResponseRateResponse> {
    return this.explanations.with(this.queries.responseRate(organizationId, query), query, organizationId);
  }

  /** Show the median time to respond to inbound messages of the window. */
  @Get('conversations/response-time')
  responseTime(
    @OrganizationId() organizationId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<ResponseTimeResponse> {
    return this.explanations.with(this.queries.responseTime(organizationId, query), query, organizationId);
  }

  /** Show how many messages and conversations there were in the window. */
  @Get('conversations/volume')
  volume(@OrganizationId() organizationId: string, @Query() query: AnalyticsQuery): Promise<VolumeResponse> {
    return this.explanations.with(this.queries.volume(organizationId, query), query, organizationId);
  }

  /** Show by which channels the conversations received in the window began. */
  @Get('conversations/modality')
  modality(
    @OrganizationId() organizationId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<ModalityResponse> {
    return this.explanations.with(this.queries.modality(organizationId, query), query, organizationId);
  }

  /** Show the sales pipeline in a window of time, and how many of its new sales were accepted. */
  @Get('sales')
  sales(
    @OrganizationId() organizationId: string,
    @Query() query: SalesAnalyticsQuery,
  ): Promise<SaleAnalyticsResponse> {
    return this.explanations.with(this.queries.sales(organizationId, query), query, organizationId);
  }

  /**
   * List the records behind a figure, newest first: conversations, messages or sales, as many as the figure says.
   * The answers with figures link here when they are asked for with `explain=true`.
   */
  @Get('records')
  @ApiPage(AnalyticsRecordResponse)
  list(
    @OrganizationId() organizationId: string,
    @Query() query: ListRecordsQuery,
  ): Promise<Page<AnalyticsRecordResponse>> {
    return this.records.list(organizationId, query);
  }
}
