import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import { watermarkBefore, watermarkOr } from '#event-store/feed.js';
import { type Alive, aliveProcesses } from '#database/monitoring/worker-liveness.js';

/** Reads what operators watch in the database. Durations are in seconds. */
@Injectable()
export class OperationsQueries {
  constructor(private readonly database: Database) {}

  /** Whether the database takes no writes, as a replica does. Rejects when it does not answer. */
  async isReadOnly(): Promise<boolean> {
    const [row] = await this.database.query<{ is_read_only: boolean }>({
      name: 'is_read_only',
      text: `SELECT current_setting('transaction_read_only')::bool AS is_read_only`,
    });
    return row!.is_read_only;
  }

  /** Only workers give signs of life. */
  workers(): Promise<Alive> {
    return aliveProcesses(this.database);
  }

  deliveries(): Promise<{ status: string; count: number }[]> {
    return this.database.query({
      name: 'count_deliveries',
      text: 'SELECT status, count(*)::int AS count FROM delivery GROUP BY status',
    });
  }

  oldestDue(): Promise<number> {
    return this.seconds(
      'oldest_due',
      'SELECT greatest(extract(epoch FROM now() - min(due_at)), 0)::float AS seconds FROM delivery WHERE due_at IS NOT NULL',
    );
  }

  /** Webhook deliveries not delivered yet, or given up, by status. */
  webhookDeliveries(): Promise<{ status: string; count: number }[]> {
    return this.database.query({
      name: 'count_webhook_deliveries',
      text: `SELECT status, count(*)::int AS count FROM webhook_delivery WHERE status <> 'delivered' GROUP BY status`,
    });
  }

  /** Webhooks by state: active, failing, or paused and why. */
  webhooks(): Promise<{ state: string; count: number }[]> {
    return this.database.query({
      name: 'count_webhooks',
      text: `SELECT CASE WHEN paused_at IS NOT NULL THEN 'paused_' || paused_because
                         WHEN failing_since IS NOT NULL THEN 'failing' ELSE 'active' END AS state, count(*)::int AS count
               FROM webhook GROUP BY 1`,
    });
  }

  /** For webhooks that are neither paused nor resting. */
  oldestDueAtWebhooks(): Promise<number> {
    return this.seconds(
      'oldest_due_at_webhooks',
      `SELECT greatest(extract(epoch FROM now() - min(d.due_at)), 0)::float AS seconds
         FROM webhook w CROSS JOIN LATERAL (
              SELECT min(due_at) AS due_at FROM webhook_delivery
               WHERE organization_id = w.organization_id AND webhook_id = w.webhook_id AND due_at IS NOT NULL) d
        WHERE w.paused_at IS NULL AND (w.resting_until IS NULL OR w.resting_until < now())`,
    );
  }

  /**
   * How long the oldest event has waited for the feed to show it; 0 when none waits. Transactions of other databases and
   * users and prepared ones hold it back, too, and not all of them can be seen.
   */
  async watermarkAge(): Promise<number> {
    return this.seconds(
      'watermark_age',
      `SELECT greatest(extract(epoch FROM now() - occurred_at), 0)::float AS seconds FROM es_event
        WHERE tx >= ${watermarkOr(1)} ORDER BY tx, position LIMIT 1`,
      [await watermarkBefore(this.database)],
    );
  }

  /** How many positions of the feed were drawn: about as many as there are events. */
  async events(): Promise<number> {
    const [row] = await this.database.query<{ events: number }>({
      name: 'count_events',
      text: `SELECT CASE WHEN is_called THEN last_value ELSE 0 END::float AS events FROM es_position`,
    });
    return row!.events;
  }

  private async seconds(name: string, text: string, values: unknown[] = []): Promise<number> {
    const [row] = await this.database.query<{ seconds: number | null }>({ name, text, values });
    return row?.seconds ?? 0;
  }
}
