import { Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { contextOf, type ApiRequest } from '#http/access/caller.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { AdminDeliveryListResponse, AdminDeliveryResponse, ListDeliveriesQuery } from './deliveries.dto.js';
import { DeliveryQueries } from './deliveries.queries.js';
import { RetryDelivery } from './retry-delivery.js';

@ApiTags('Administration')
@ApiSecurity('admin-key')
@ApiProblems(400, 401, 404)
@Controller('admin/v1/deliveries')
export class DeliveriesAdminController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: DeliveryQueries,
  ) {}

  /** List what could not be delivered, and why: failed and uncertain deliveries, or those with the given status; 1,000 at most. */
  @Get()
  async list(@Query() { status }: ListDeliveriesQuery): Promise<AdminDeliveryListResponse> {
    return { data: await this.queries.deliveries(status) };
  }

  /** Try a failed or uncertain delivery again. An e-mail leaves under the Message-ID it had, which receivers fold. */
  @Post(':draft_id/retry')
  @HttpCode(200)
  retry(@Param('draft_id') draftId: string, @Req() request: ApiRequest): Promise<AdminDeliveryResponse> {
    return this.commands.execute(new RetryDelivery(contextOf(request), draftId));
  }
}
