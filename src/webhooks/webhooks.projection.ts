import type { EventHead } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import type { Instant } from '#kernel/instant.js';
import type { Transaction } from '#database/statements/statement.js';
import { groupBy } from '#event-store/group-by.js';
import type { Projection } from '#event-store/projection.js';
import { KEPT_SECONDS } from './retention.js';

/** A webhook with newly recorded deliveries. */
export interface Touched {
  organizationId: string;
  webhookId: string;
}

interface Listening {
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

  async function record(tx: Transaction, organizationId: string, events: EventHead[]): Promise<void> {
    const webhooks = await listening(tx, organizationId);
    const rows = events.flatMap((event) =>
      webhooks
        .filter((webhook) => isInTime(webhook, event))
        .flatMap((webhook) => {
          const type = typeFor(event.type, webhook.types.length === 0 ? null : webhook.types);
          return type === undefined ? [] : [rowOf(webhook, event, type)];
        }),
    );
    if (rows.length > 0) await insert(tx, organizationId, rows);
    for (const { webhook_id: webhookId } of rows) touched.set(webhookId, { organizationId, webhookId });
  }

  return {
    name: 'webhooks',
    version: 1,
    tables: ['webhook_delivery'],
    headsOnly: true,
    async apply(tx, events: EventHead[]) {
      touched = new Map();
      const sendable = events.filter((event) => typeFor(event.type, null) !== undefined);
      const byOrganization = groupBy(sendable, (event) => event.organization_id);
      await Promise.all(byOrganization.map(([organizationId, own]) => record(tx, organizationId, own)));
    },
    applied() {
      for (const one of touched.values()) onRecorded(one);
      touched.clear();
    },
  };
}

/** Locks the webhooks, so that none is removed while deliveries are recorded for it. */
function listening(tx: Transaction, organizationId: string): Promise<Listening[]> {
  return tx.query({
    name: 'listening_webhooks',
    text: `SELECT webhook_id, types, since_tx::text AS since_tx, created_at, now() - make_interval(secs => $2) AS oldest
             FROM webhook WHERE organization_id = $1 ORDER BY webhook_id FOR KEY SHARE`,
    values: [organizationId, KEPT_SECONDS],
  });
}

/**
 * Whether the event is in time for the webhook. If the feed is ever read again, the log tells what was sent; events older than
 * the log would be sent again. The event must also be later than the webhook: its transaction began later, which is exact, or
 * `occurred_at` says so, which decides when a database was restored into a cluster whose transaction ids begin again.
 */
const isInTime = (webhook: Listening, event: EventHead): boolean =>
  event.occurred_at > webhook.oldest &&
  (BigInt(event.tx) > BigInt(webhook.since_tx) || event.occurred_at > webhook.created_at);

const rowOf = ({ webhook_id }: Listening, event: EventHead, type: string) => ({
  delivery_id: newId('delivery'),
  webhook_id,
  event_id: event.event_id,
  type,
  stream_id: event.stream_id,
  stream_version: event.version,
});

async function insert(tx: Transaction, organizationId: string, rows: object[]): Promise<void> {
  await tx.query({
    name: 'insert_webhook_deliveries',
    text: `INSERT INTO webhook_delivery (organization_id, delivery_id, webhook_id, event_id, type, stream_id,
                                         stream_version, status, attempts, due_at, created_at)
           SELECT $1, delivery_id, webhook_id, event_id, type, stream_id, stream_version, 'pending', 0, now(), now()
             FROM jsonb_populate_recordset(NULL::webhook_delivery, $2) WITH ORDINALITY ORDER BY ordinality
           ON CONFLICT DO NOTHING`,
    values: [organizationId, JSON.stringify(rows)],
  });
}
