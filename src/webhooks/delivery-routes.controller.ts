import { Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationId } from '#http/access/caller.js';
import { ApiPage, type Page } from '#http/paging/page.dto.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Directory } from '../workspace/workspace.contract.js';
import { ListWebhookDeliveriesQuery, WebhookDeliveryResponse } from './deliveries.dto.js';
import { WebhookDeliveryQueries } from './deliveries.queries.js';
import { Redeliver } from './redeliver.js';
import { Webhooks } from './webhooks.js';

/** The routes of deliveries to a webhook, as `webhookRoutes`. */
export function deliveryRoutes(...ofWrites: number[]) {
  @ApiTags('Webhooks')
  @ApiProblems(400, 401, 404)
  abstract class DeliveryRoutes {
    @Inject(Webhooks) private readonly webhooks!: Webhooks;
    @Inject(WebhookDeliveryQueries) private readonly queries!: WebhookDeliveryQueries;
    @Inject(Redeliver) private readonly redelivery!: Redeliver;
    @Inject(Directory) private readonly directory!: Directory;

    /** List what was and is to be sent to a webhook, newest first. The log reaches back 30 days. */
    @Get()
    @ApiPage(WebhookDeliveryResponse)
    async list(
      @OrganizationId() organizationId: string,
      @Param('webhook_id') webhookId: string,
      @Query() query: ListWebhookDeliveriesQuery,
    ): Promise<Page<WebhookDeliveryResponse>> {
      await this.requireWebhook(organizationId, webhookId);
      return this.queries.list(organizationId, webhookId, query);
    }

    /** Send an event once more, whatever became of it, under the same `webhook-id`. A paused webhook gets it when it is resumed. */
    @Post(':delivery_id/redeliver')
    @ApiProblems(...ofWrites)
    @HttpCode(200)
    async redeliver(
      @OrganizationId() organizationId: string,
      @Param('webhook_id') webhookId: string,
      @Param('delivery_id') deliveryId: string,
    ): Promise<WebhookDeliveryResponse> {
      await this.requireWebhook(organizationId, webhookId);
      return this.redelivery.run(organizationId, webhookId, deliveryId);
    }

    private async requireWebhook(organizationId: string, webhookId: string): Promise<void> {
      await this.directory.existingOrganization(organizationId);
      await this.webhooks.existing(organizationId, webhookId);
    }
  }

  return DeliveryRoutes;
}
