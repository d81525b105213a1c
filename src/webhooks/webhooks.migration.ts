import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks, and the log of deliveries to them. */
export class Webhooks1700001000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook (
        organization_id text COLLATE "C" NOT NULL,
        webhook_id      text COLLATE "C" NOT NULL,
        url             text NOT NULL,
        types           text[] NOT NULL,
        description     text,
        secrets         bytea NOT NULL,
        paused_at       timestamptz(6),
        paused_because  text,
        created_at      timestamptz(6) NOT NULL,
        since_tx        xid8 NOT NULL DEFAULT pg_current_xact_id(),
        failures        int NOT NULL DEFAULT 0,
        failing_since   timestamptz(6),
        resting_until   timestamptz(6),
        fence           bigint NOT NULL DEFAULT 0,
        worker          int,
        lease_until     timestamptz(6),
        PRIMARY KEY (organization_id, webhook_id)
      );
      CREATE INDEX webhook_active ON webhook (organization_id, webhook_id) WHERE paused_at IS NULL;
      CREATE TABLE webhook_delivery (
        organization_id  text COLLATE "C" NOT NULL,
        delivery_id      text COLLATE "C" NOT NULL,
        webhook_id       text COLLATE "C" NOT NULL,
        event_id         text COLLATE "C" NOT NULL,
        type             text NOT NULL,
        stream_id        text COLLATE "C" NOT NULL,
        stream_version   int NOT NULL,
        nr               bigint GENERATED ALWAYS AS IDENTITY,
        status           text NOT NULL,
        attempts         int NOT NULL,
        due_at           timestamptz(6),
        last_attempt_at  timestamptz(6),
        last_status_code int,
        last_error       text,
        duration_ms      int,
        delivered_at     timestamptz(6),
        created_at       timestamptz(6) NOT NULL,
        PRIMARY KEY (organization_id, delivery_id)
      );
      CREATE UNIQUE INDEX webhook_delivery_once ON webhook_delivery (organization_id, event_id, webhook_id);
      CREATE INDEX webhook_delivery_newest
        ON webhook_delivery (organization_id, webhook_id, created_at DESC, delivery_id DESC);
      CREATE INDEX webhook_delivery_by_status
        ON webhook_delivery (organization_id, webhook_id, status, created_at DESC, delivery_id DESC);
      CREATE INDEX webhook_delivery_due
        ON webhook_delivery (organization_id, webhook_id, due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX webhook_delivery_open ON webhook_delivery (status) WHERE status <> 'delivered';
      CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE webhook_delivery, webhook`);
  }
}
