import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';

/** What operators watch in the database. Durations in seconds. */
@Injectable()
export class OperationsQueries {
  constructor(private readonly database: Database) {}

  /** Rejects when the database does not answer. */
  async ping(): Promise<void> {
    await this.database.query({ text: 'SELECT 1' });
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

  /** How long the oldest transaction that writes has been running: the feed shows nothing that is younger. */
  watermarkAge(): Promise<number> {
    return this.seconds(
      'watermark_age',
      `SELECT extract(epoch FROM now() - min(xact_start))::float AS seconds
         FROM pg_stat_activity WHERE backend_xid IS NOT NULL`,
    );
  }

  /** How old the oldest event is that a read model has not taken in. */
  lags(): Promise<{ projection: string; seconds: number }[]> {
    return this.database.query({
      name: 'projection_lags',
      text: `SELECT c.projection, coalesce(extract(epoch FROM now() - e.occurred_at), 0)::float AS seconds
               FROM es_checkpoint c
               LEFT JOIN LATERAL (SELECT occurred_at FROM es_event
                                   WHERE (tx, position) > (c.tx, c.position) ORDER BY tx, position LIMIT 1) e ON true`,
    });
  }

  /** How many events there are, as PostgreSQL estimates it. */
  async events(): Promise<number> {
    const [row] = await this.database.query<{ events: number }>({
      name: 'count_events',
      text: `SELECT CASE WHEN is_called THEN last_value ELSE 0 END::float AS events FROM es_position`,
    });
    return row!.events;
  }

  private async seconds(name: string, text: string): Promise<number> {
    const [row] = await this.database.query<{ seconds: number | null }>({ name, text });
    return row?.seconds ?? 0;
  }
}
