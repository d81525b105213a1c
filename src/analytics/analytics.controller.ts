import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '#http/problem.dto.js';
import {
  AnalyticsQuery,
  ConversationAnalyticsResponse,
  ModalityResponse,
  ResponseRateResponse,
  ResponseTimeResponse,
  SaleAnalyticsResponse,
  VolumeResponse,
} from './analytics.dto.js';
import { AnalyticsQueries } from './analytics.queries.js';

@ApiTags('Analytics')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/analytics')
export class AnalyticsController {
  constructor(private readonly queries: AnalyticsQueries) {}

  /** Show how conversations went in a window of time. */
  @Get('conversations')
  conversations(
    @Param('organization_id') organizationId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<ConversationAnalyticsResponse> {
    return this.queries.conversations(organizationId, query);
  }

  /** Show how many of the conversations received in the window were responded to. */
  @Get('conversations/response-rate')
  responseRate(
    @Param('organization_id') organizationId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<ResponseRateResponse> {
    return this.queries.responseRate(organizationId, query);
  }

  /** Show the median time to respond to inbound messages of the window. */
  @Get('conversations/response-time')
  responseTime(
    @Param('organization_id') organizationId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<ResponseTimeResponse> {
    return this.queries.responseTime(organizationId, query);
  }

  /** Show how many messages and conversations there were in the window. */
  @Get('conversations/volume')
  volume(
    @Param('organization_id') organizationId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<VolumeResponse> {
    return this.queries.volume(organizationId, query);
  }

  /** Show by which channels the conversations received in the window began. */
  @Get('conversations/modality')
  modality(
    @Param('organization_id') organizationId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<ModalityResponse> {
    return this.queries.modality(organizationId, query);
  }

  /** Show the sales pipeline in a window of time, and how many of its new sales were accepted. */
  @Get('sales')
  sales(
    @Param('organization_id') organizationId: string,
    @Query() query: AnalyticsQuery,
  ): Promise<SaleAnalyticsResponse> {
    return this.queries.sales(organizationId, query);
  }
}
