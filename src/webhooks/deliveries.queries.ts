import { Injectable } from '@nestjs/common';
import { isId } from '#kernel/id.js';
import { Database } from '#database/database.js';
import type { Page } from '#http/paging/page.dto.js';
import { type List, Pages } from '#http/paging/page.js';
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
    const rows = await this.database.query({
      // By `ctid`: to find the rows again by key, the planner reads the whole table. Rows locked by others wait for the
      // next time.
      text: `DELETE FROM webhook_delivery WHERE ctid = ANY (ARRAY(
               SELECT ctid FROM webhook_delivery WHERE created_at < now() - make_interval(secs => $1) ORDER BY created_at LIMIT $2
                  FOR UPDATE SKIP LOCKED)) RETURNING 1`,
      values: [KEPT_SECONDS, limit],
    });
    return rows.length === limit;
  }
}
