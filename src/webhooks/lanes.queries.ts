import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel/instant.js';
import { Database } from '#database/database.js';
import { livingWorkers } from '#database/monitoring/worker-liveness.js';
import type { Health, Outcome, Reply } from './retries.js';

/** A webhook with due deliveries. */
export interface DueWebhook {
  organization_id: string;
  webhook_id: string;
  /** The process that held its lane and gives no sign of life. */
  gone_worker: number | null;
}

/** A webhook's lane: the right to send to it, which one process has at a time. */
export interface Claimed extends Health {
  organization_id: string;
  webhook_id: string;
  url: string;
  secrets: Buffer;
  /** Raised with each claim and each change: the holder of an older one has lost the lane. */
  fence: string;
}

export interface DueDelivery {
  delivery_id: string;
  event_id: string;
  /** The type under which it is sent. */
  type: string;
  stream_id: string;
  stream_version: number;
  attempts: number;
}

/** Longer than a try and writing its outcome may take. */
const LEASE = `interval '60 seconds'`;

/** SQL: that a webhook `w` has a due delivery. Its order has it found by the index of what is due, whatever statistics say. */
const HAS_DUE = `LATERAL (
                    SELECT FROM webhook_delivery
                     WHERE organization_id = w.organization_id AND webhook_id = w.webhook_id AND due_at <= now()
                     ORDER BY due_at LIMIT 1) due`;

const IS_AWAKE = 'paused_at IS NULL AND (resting_until IS NULL OR resting_until <= now())';

/** For `DueWork`: also those whose lane a process has. */
export const DUE_WEBHOOKS = `SELECT organization_id FROM webhook w CROSS JOIN ${HAS_DUE} WHERE ${IS_AWAKE}`;

/** Reads and writes the lanes of webhooks, and the outcomes of tries. What is due is told by the database's clock. */
@Injectable()
export class LaneQueries {
  constructor(private readonly database: Database) {}

  /**
   * Webhooks with due deliveries whose lane no other living process holds. Includes lanes in `worker`'s own name, since it
   * may have lost the connection on which it would have released them; leaves out those `running` there.
   */
  async dueWebhooks(worker: number, running: string[], limit: number): Promise<DueWebhook[]> {
    const living = await livingWorkers(this.database);
    return this.database.query({
      name: 'due_webhooks',
      text: `SELECT organization_id, webhook_id, CASE WHEN lease_until > now() AND worker <> $1 THEN worker END AS gone_worker
               FROM webhook w CROSS JOIN ${HAS_DUE}
              WHERE ${IS_AWAKE}
                AND (lease_until IS NULL OR lease_until <= now() OR worker = $1 OR worker <> ALL ($4::int[]))
                AND webhook_id <> ALL ($2::text[])
              LIMIT $3`,
      values: [worker, running, limit, living],
    });
  }

  /**
   * Takes a webhook's lane; null when nothing is due there, or another process has it. The lane of a process that is gone,
   * or of the asking process itself, can be taken.
   */
  async claim(
    { organization_id, webhook_id, gone_worker }: DueWebhook,
    worker: number,
  ): Promise<Claimed | null> {
    const [claimed] = await this.database.query<Claimed>({
      name: 'claim_webhook',
      text: `UPDATE webhook SET worker = $3, lease_until = now() + ${LEASE}, fence = fence + 1
              WHERE organization_id = $1 AND webhook_id = $2 AND paused_at IS NULL
                AND (resting_until IS NULL OR resting_until <= now())
                AND (lease_until IS NULL OR lease_until <= now() OR worker IN ($3, $4))
             RETURNING organization_id, webhook_id, url, secrets, fence, failures, failing_since, resting_until`,
      values: [organization_id, webhook_id, worker, gone_worker],
    });
    return claimed ?? null;
  }

  /** The deliveries due for longest, in the order of the feed. */
  due({ organization_id, webhook_id }: Claimed, limit: number): Promise<DueDelivery[]> {
    return this.database.query({
      name: 'due_webhook_deliveries',
      text: `SELECT delivery_id, event_id, type, stream_id, stream_version, attempts
               FROM (SELECT * FROM webhook_delivery
                      WHERE organization_id = $1 AND webhook_id = $2 AND due_at <= now() ORDER BY due_at, nr LIMIT $3) due
              ORDER BY nr`,
      values: [organization_id, webhook_id, limit],
    });
  }

  /**
   * Records the outcome of a try and extends the lease; gives whether the caller still has the lane. A delivery tried by
   * another process meanwhile stays as that left it. So does a webhook that was changed, or whose lane another has.
   */
  async record(
    { organization_id, webhook_id, fence }: Claimed,
    { delivery_id, attempts: triedBefore }: DueDelivery,
    outcome: Outcome & { reply: Reply; at: Instant },
  ): Promise<boolean> {
    const { reply, tried, health, pause, at } = outcome;
    const [row] = await this.database.query<{ held: boolean }>({
      name: 'record_webhook_try',
      text: `WITH lane AS (
               UPDATE webhook SET version = version + (failing_since IS DISTINCT FROM $5 OR $7::text IS NOT NULL)::int,
                                  lease_until = now() + ${LEASE}, failures = $4, failing_since = $5, resting_until = $6,
                                  paused_at = CASE WHEN $7::text IS NOT NULL THEN $8::timestamptz END, paused_because = $7
                WHERE organization_id = $1 AND webhook_id = $2 AND fence = $3 RETURNING 1),
             tried AS (
               UPDATE webhook_delivery
                  SET status = $11, attempts = $12, due_at = $13, last_attempt_at = $8, last_status_code = $14,
                      last_error = $15, duration_ms = $16, delivered_at = CASE WHEN $11 = 'delivered' THEN $8::timestamptz END
                WHERE organization_id = $1 AND delivery_id = $9 AND attempts = $10 AND due_at IS NOT NULL)
             SELECT EXISTS (SELECT FROM lane) AS held`,
      values: [
        organization_id,
        webhook_id,
        fence,
        health.failures,
        health.failing_since,
        health.resting_until,
        pause,
        at,
        delivery_id,
        triedBefore,
        tried.status,
        tried.attempts,
        tried.due_at,
        reply.status_code,
        reply.error,
        reply.duration_ms,
      ],
    });
    return row!.held;
  }

  /** Releases the lane, unless another process has it already. */
  async release({ organization_id, webhook_id, fence }: Claimed): Promise<void> {
    await this.database.query({
      name: 'release_webhook',
      text: `UPDATE webhook SET worker = NULL, lease_until = NULL
              WHERE organization_id = $1 AND webhook_id = $2 AND fence = $3`,
      values: [organization_id, webhook_id, fence],
    });
  }
}
