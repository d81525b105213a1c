import { Injectable } from '@nestjs/common';
import type { Context } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { BEGINNING } from '#event-store/feed.js';
import { positionOf } from '#event-store/position.js';
import type { EventResponse } from '../events/events.contract.js';
import { Vault } from '../workspace/workspace.contract.js';
import { Poster } from './poster.js';
import { wasTaken } from './retries.js';
import { NOT_SIGNED, type Secrets, signedHeaders } from './signing.js';
import type { WebhookTestResponse } from './webhooks.dto.js';
import { Webhooks } from './webhooks.js';

/** The type of the test event. */
export const TEST_TYPE = 'WebhookTest';

/** Sends a test event, which is in no feed, to a webhook, even to a paused one. */
@Injectable()
export class TryWebhook {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly poster: Poster,
    private readonly vault: Vault,
  ) {}

  async run({ organizationId, actor, requestId }: Context, webhookId: string): Promise<WebhookTestResponse> {
    const webhook = await this.webhooks.existing(organizationId, webhookId);
    const at = now();
    const event: EventResponse = {
      event_id: newId('event'),
      position: positionOf(BEGINNING),
      type: TEST_TYPE,
      version: 1,
      occurred_at: at,
      stream: { type: 'webhook', id: webhookId, version: 1 },
      actor,
      request_id: requestId,
      data: { webhook_id: webhookId },
    };
    const body = JSON.stringify(event);
    const secrets = this.vault.openIfOurs<Secrets>(webhook.secrets, webhookId);
    const reply = secrets
      ? await this.poster.post(webhook.url, signedHeaders(secrets, event.event_id, at, body), body)
      : NOT_SIGNED;
    const { status_code, error, duration_ms } = reply;
    return { event_id: event.event_id, delivered: wasTaken(reply), status_code, error, duration_ms };
  }
}
