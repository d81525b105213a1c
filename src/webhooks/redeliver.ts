import { Injectable } from '@nestjs/common';
import { notFound } from '#http/problems/problem.js';
import type { WebhookDeliveryResponse } from './deliveries.dto.js';
import { WebhookDeliveryQueries } from './deliveries.queries.js';
import { WebhookQueue } from './webhook.queue.js';

/** Sends an event once more under the same `webhook-id`, with as many tries as the first time. */
@Injectable()
export class Redeliver {
  constructor(
    private readonly queries: WebhookDeliveryQueries,
    private readonly queue: WebhookQueue,
  ) {}

  /** Throws 404 when the webhook has no such delivery. */
  async run(organizationId: string, webhookId: string, deliveryId: string): Promise<WebhookDeliveryResponse> {
    const delivery = await this.queries.again(organizationId, webhookId, deliveryId);
    if (!delivery) throw notFound('delivery', deliveryId);
    this.queue.wake(organizationId, webhookId);
    return delivery;
  }
}
