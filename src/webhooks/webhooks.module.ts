import { type DynamicModule, Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { PublicEvents } from '../events/events.contract.js';
import { OperationsModule } from '../operations/operations.module.js';
import { Addresses } from './addresses.js';
import { WebhookDeliveriesAdminController } from './deliveries.admin.controller.js';
import { WebhookDeliveriesController } from './deliveries.controller.js';
import { WebhookDeliveryQueries } from './deliveries.queries.js';
import { LaneQueries } from './lanes.queries.js';
import { Poster } from './poster.js';
import { Redeliver } from './redeliver.js';
import { Sender } from './sender.js';
import { TryWebhook } from './try-webhook.js';
import { WebhookFeed } from './webhook.feed.js';
import { WebhookLogSweeper } from './webhook-log.sweeper.js';
import { WebhookQueue } from './webhook.queue.js';
import { WebhooksAdminController } from './webhooks.admin.controller.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhookQueries } from './webhooks.queries.js';
import { Webhooks } from './webhooks.js';

/** Sends events to other systems as they happen. */
@Module({})
export class WebhooksModule {
  static with(events: PublicEvents): DynamicModule {
    return {
      module: WebhooksModule,
      imports: [OperationsModule],
      controllers: [
        WebhooksController,
        WebhookDeliveriesController,
        WebhooksAdminController,
        WebhookDeliveriesAdminController,
      ],
      providers: [
        { provide: PublicEvents, useValue: events },
        {
          provide: Addresses,
          useFactory: ({ webhookAllowedNetworks }: Config) => new Addresses(webhookAllowedNetworks),
          inject: [CONFIG],
        },
        {
          provide: Poster,
          useFactory: (addresses: Addresses, { webhookTimeoutMs }: Config) =>
            new Poster(addresses, webhookTimeoutMs),
          inject: [Addresses, CONFIG],
        },
        WebhookQueries,
        WebhookDeliveryQueries,
        LaneQueries,
        Webhooks,
        TryWebhook,
        Redeliver,
        Sender,
        WebhookQueue,
        WebhookFeed,
        WebhookLogSweeper,
      ],
    };
  }
}
