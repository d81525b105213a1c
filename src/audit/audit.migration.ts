import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log, indexed newest first for every filter. */
export class Audit1700000500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_log (
        organization_id text COLLATE "C" NOT NULL,
        audit_log_id    text COLLATE "C" NOT NULL,
        occurred_at     timestamptz(6) NOT NULL,
        agent_id        text COLLATE "C",
        action_type     text NOT NULL,
        record_type     text NOT NULL,
        record_id       text COLLATE "C" NOT NULL,
        changes         jsonb NOT NULL,
        actor           jsonb NOT NULL,
        request_id      text,
        event_id        text COLLATE "C" NOT NULL,
        PRIMARY KEY (organization_id, audit_log_id)
      );
      CREATE INDEX audit_log_newest ON audit_log (organization_id, occurred_at DESC, audit_log_id DESC);
      CREATE INDEX audit_log_by_record ON audit_log (organization_id, record_id, occurred_at DESC, audit_log_id DESC);
      CREATE INDEX audit_log_by_agent ON audit_log (organization_id, agent_id, occurred_at DESC, audit_log_id DESC)
        WHERE agent_id IS NOT NULL;
      CREATE INDEX audit_log_by_type ON audit_log (organization_id, record_type, occurred_at DESC, audit_log_id DESC);
      CREATE INDEX audit_log_by_action ON audit_log (organization_id, action_type, occurred_at DESC, audit_log_id DESC);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE audit_log`);
  }
}
