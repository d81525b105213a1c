import { Injectable } from '@nestjs/common';
import { isId } from '#kernel/id.js';
import type { Instant } from '#kernel/instant.js';
import { Database } from '#database/database.js';
import type { Page } from '#http/paging/page.dto.js';
import type { List } from '#http/paging/list.js';
import { Pages } from '#http/paging/page.js';
import { KEPT_SECONDS } from './retention.js';
import type { ListWebhookDeliveriesQuery, WebhookDeliveryResponse } from './deliveries.dto.js';

const COLUMNS = `delivery_id, webhook_id, event_id, type, status, attempts, last_attempt_at, last_status_code, last_error,
  duration_ms, due_at AS next_attempt_at, delivered_at, created_at`;

const DELIVERIES: List = {
  name: 'webhook_deliveries',
  select: `SELECT ${COLUMNS} FROM webhook_delivery`,
  sort: 'created_at',
  id: 'delivery_id',
};

/** The deliveries of one event, selected by it before anything is sorted. Parameters as in `list`. */
const DELIVERY_OF_EVENT: List = {
  ...DELIVERIES,
  select: `SELECT ${COLUMNS} FROM (SELECT * FROM webhook_delivery
    WHERE organization_id = $1 AND event_id = $2 OFFSET 0) webhook_delivery`,
};

/** Deliveries to one webhook that are too old to keep. */
interface OldDeliveries {
  organization_id: string;
  webhook_id: string;
  latest: Instant;
  count: number;
}

/** The log of deliveries to webhooks. */
@Injectable()
export class WebhookDeliveryQueries {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
  ) {}

  list(
    organizationId: string,
    webhookId: string,
    { status, event_id, ...query }: ListWebhookDeliveriesQuery,
  ): Promise<Page<WebhookDeliveryResponse>> {
    return this.pages.read<WebhookDeliveryResponse>(
      event_id === undefined ? DELIVERIES : DELIVERY_OF_EVENT,
      [
        ['organization_id =', organizationId],
        ['event_id =', event_id],
        ['webhook_id =', webhookId],
        ['status =', status],
      ],
      query,
    );
  }

  /** Makes a delivery due now, with all its tries again; gives it as it is then, undefined when there is none. */
  async again(
    organizationId: string,
    webhookId: string,
    deliveryId: string,
  ): Promise<WebhookDeliveryResponse | undefined> {
    if (!isId('delivery', deliveryId)) return undefined;
    const [row] = await this.database.query<WebhookDeliveryResponse>({
      text: `UPDATE webhook_delivery SET status = 'pending', attempts = 0, due_at = now(), delivered_at = NULL
              WHERE organization_id = $1 AND delivery_id = $3 AND webhook_id IS NOT DISTINCT FROM $2 RETURNING ${COLUMNS}`,
      values: [organizationId, webhookId, deliveryId],
    });
    return row;
  }

  /** Deletes some of the deliveries that are older than the log reaches back; gives whether there may be more. */
  async forget(limit: number): Promise<boolean> {
    const found = await this.database.query<OldDeliveries>({
      text: `SELECT organization_id, webhook_id, max(created_at) AS latest, count(*)::int AS count
               FROM (SELECT organization_id, webhook_id, created_at FROM webhook_delivery
                      WHERE created_at < now() - make_interval(secs => $1) ORDER BY created_at LIMIT $2) old
              GROUP BY organization_id, webhook_id`,
      values: [KEPT_SECONDS, limit],
    });
    for (const { organization_id, webhook_id, latest } of found)
      await this.database.query({
        text: 'DELETE FROM webhook_delivery WHERE organization_id = $1 AND webhook_id = $2 AND created_at <= $3',
        values: [organization_id, webhook_id, latest],
      });
    return found.reduce((sum, { count }) => sum + count, 0) === limit;
  }
}
