import type { EventHead } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import type { Instant } from '#kernel/instant.js';
import type { Transaction } from '#database/statements/statement.js';
import type { Projection } from '#event-store/projection.js';
import { KEPT_SECONDS } from './retention.js';

/** A webhook with newly recorded deliveries. */
export interface Touched {
  organizationId: string;
  webhookId: string;
}

interface Listening {
  organization_id: string;
  webhook_id: string;
  types: string[];
  since_tx: string;
  created_at: Instant;
  /** Where the log of deliveries begins, by the database's clock. */
  oldest: Instant;
}

/**
 * Records the deliveries to each webhook in the transaction of the feed's checkpoint: each event once, whatever happens to
 * endpoints. It is no read model: events do not tell what was sent, so it cannot be rebuilt. `typeFor` gives the type under
 * which a webhook that asks for some types (null: for all) gets a stored one, as `PublicEvents` does; `onRecorded` is called
 * with webhooks once their deliveries are committed.
 */
export function webhookDeliveries(
  typeFor: (stored: string, asked: string[] | null) => string | undefined,
  onRecorded: (touched: Touched) => void,
): Projection {
  let touched = new Map<string, Touched>();
  return {
    name: 'webhooks',
    version: 1,
    tables: ['webhook_delivery'],
    headsOnly: true,
    async apply(tx, events: EventHead[]) {
      touched = new Map();
      const sendable = events.filter((event) => typeFor(event.type, null) !== undefined);
      if (sendable.length === 0) return;
      const webhooks = await listening(tx, [...new Set(sendable.map((event) => event.organization_id))]);
      const rows = sendable.flatMap((event) =>
        webhooks
          .filter((webhook) => isFor(webhook, event))
          .flatMap((webhook) => {
            const type = typeFor(event.type, webhook.types.length === 0 ? null : webhook.types);
            return type === undefined ? [] : [rowOf(webhook, event, type)];
          }),
      );
      if (rows.length > 0) await insert(tx, rows);
      for (const { organization_id: organizationId, webhook_id: webhookId } of rows)
        touched.set(webhookId, { organizationId, webhookId });
    },
    applied() {
      for (const one of touched.values()) onRecorded(one);
      touched.clear();
    },
  };
}

/** Locks the webhooks, so that none is removed while deliveries are recorded for it. */
function listening(tx: Transaction, organizationIds: string[]): Promise<Listening[]> {
  return tx.query({
    name: 'listening_webhooks',
    text: `SELECT organization_id, webhook_id, types, since_tx::text AS since_tx, created_at,
                   now() - make_interval(secs => $2) AS oldest FROM webhook
            WHERE organization_id = ANY ($1) ORDER BY webhook_id FOR KEY SHARE`,
    values: [organizationIds, KEPT_SECONDS],
  });
}

/**
 * Whether the event is of the webhook's organization and in time for it. If the feed is ever read again, the log tells what was
 * sent; events older than the log would be sent again. The event must also be later than the webhook: its transaction began later, which is exact, or `occurred_at` says so, which
 * decides when a database was restored into a cluster whose transaction ids begin again.
 */
const isFor = (webhook: Listening, event: EventHead): boolean =>
  webhook.organization_id === event.organization_id &&
  event.occurred_at > webhook.oldest &&
  (BigInt(event.tx) > BigInt(webhook.since_tx) || event.occurred_at > webhook.created_at);

const rowOf = ({ organization_id, webhook_id }: Listening, event: EventHead, type: string) => ({
  organization_id,
  delivery_id: newId('delivery'),
  webhook_id,
  event_id: event.event_id,
  type,
  stream_id: event.stream_id,
  stream_version: event.version,
});

async function insert(tx: Transaction, rows: object[]): Promise<void> {
  await tx.query({
    name: 'insert_webhook_deliveries',
    text: `INSERT INTO webhook_delivery (organization_id, delivery_id, webhook_id, event_id, type, stream_id,
                                         stream_version, status, attempts, due_at, created_at)
           SELECT organization_id, delivery_id, webhook_id, event_id, type, stream_id, stream_version,
                  'pending', 0, now(), now()
             FROM jsonb_populate_recordset(NULL::webhook_delivery, $1) WITH ORDINALITY ORDER BY ordinality
           ON CONFLICT DO NOTHING`,
    values: [JSON.stringify(rows)],
  });
}
