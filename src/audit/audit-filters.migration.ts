import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes, dropIndexes } from '#database/indexes.js';
import { askForRebuild } from '#event-store/pending-rebuilds.js';

/**
 * Which key was used and why a record is gone, and an index for each filter. Every index ends with the order of the list, and those
 * of what many records share begin with what tells apart who asks for what: kind of record, action, kind of actor. So no list reads past
 * records of other kinds. What is usually shown has an index of its own, which kinds that nobody asked for do not grow.
 * The lists over all organizations have three of them without the organization; an id leads them to it.
 */
export class AuditFilters1795652500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_log
        ADD COLUMN key_id     text COLLATE "C",
        ADD COLUMN reason     text,
        ADD COLUMN actor_type text NOT NULL DEFAULT '',
        ADD COLUMN fields     jsonb NOT NULL DEFAULT '[]'
    `);
    await createIndexes(
      runner,
      `CREATE INDEX audit_log_newest ON audit_log (organization_id, occurred_at DESC, audit_log_id DESC)
        WHERE record_type IN ('sale', 'conversation', 'message_draft', 'response_draft');
      CREATE INDEX audit_log_by_kind ON audit_log
        (organization_id, record_type, action_type, actor_type, occurred_at DESC, audit_log_id DESC);
      CREATE INDEX audit_log_by_fields ON audit_log
        (organization_id, fields, record_type, action_type, actor_type, occurred_at DESC, audit_log_id DESC);
      CREATE INDEX audit_log_by_record ON audit_log (record_id, organization_id, occurred_at DESC, audit_log_id DESC);
      CREATE INDEX audit_log_by_request ON audit_log (request_id, organization_id, occurred_at DESC, audit_log_id DESC)
        WHERE request_id IS NOT NULL;
      CREATE INDEX audit_log_by_agent ON audit_log
        (agent_id, organization_id, record_type, action_type, occurred_at DESC, audit_log_id DESC) WHERE agent_id IS NOT NULL;
      CREATE INDEX audit_log_by_key ON audit_log
        (key_id, organization_id, record_type, action_type, (agent_id IS NULL), occurred_at DESC, audit_log_id DESC)
        WHERE key_id IS NOT NULL;
      CREATE INDEX audit_log_of_all ON audit_log (occurred_at DESC, audit_log_id DESC)
        WHERE record_type IN ('sale', 'conversation', 'message_draft', 'response_draft');
      CREATE INDEX audit_log_of_all_by_kind ON audit_log
        (record_type, action_type, actor_type, occurred_at DESC, audit_log_id DESC);
      CREATE INDEX audit_log_of_all_by_fields ON audit_log
        (fields, record_type, action_type, actor_type, occurred_at DESC, audit_log_id DESC)`,
    );
    await dropIndexes(runner, 'audit_log', ['audit_log_by_type', 'audit_log_by_action']);
    await askForRebuild(runner, 'audit');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX audit_log_newest, audit_log_by_kind, audit_log_by_fields, audit_log_by_record, audit_log_by_request,
                 audit_log_by_agent, audit_log_by_key, audit_log_of_all, audit_log_of_all_by_kind, audit_log_of_all_by_fields;
      ALTER TABLE audit_log DROP COLUMN key_id, DROP COLUMN reason, DROP COLUMN actor_type, DROP COLUMN fields;
      CREATE INDEX audit_log_newest ON audit_log (organization_id, occurred_at DESC, audit_log_id DESC);
      CREATE INDEX audit_log_by_record ON audit_log (organization_id, record_id, occurred_at DESC, audit_log_id DESC);
      CREATE INDEX audit_log_by_agent ON audit_log (organization_id, agent_id, occurred_at DESC, audit_log_id DESC)
        WHERE agent_id IS NOT NULL;
      CREATE INDEX audit_log_by_type ON audit_log (organization_id, record_type, occurred_at DESC, audit_log_id DESC);
      CREATE INDEX audit_log_by_action ON audit_log (organization_id, action_type, occurred_at DESC, audit_log_id DESC);
    `);
  }
}
