import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows of tasks. */
export class Tasks1700000700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE task (
        organization_id text COLLATE "C" NOT NULL,
        task_id         text COLLATE "C" NOT NULL,
        title           text NOT NULL,
        notes           text,
        due_at          timestamptz(6),
        completed_at    timestamptz(6),
        agent_id        text COLLATE "C",
        company_id      text COLLATE "C",
        contact_id      text COLLATE "C",
        sale_id         text COLLATE "C",
        created_at      timestamptz(6) NOT NULL,
        stream_version  int NOT NULL,
        PRIMARY KEY (organization_id, task_id)
      );
      CREATE INDEX task_newest ON task (organization_id, created_at DESC, task_id DESC);
      CREATE INDEX task_by_state ON task (organization_id, (completed_at IS NULL), created_at DESC, task_id DESC);
      CREATE INDEX task_by_agent ON task (organization_id, agent_id, created_at DESC, task_id DESC) WHERE agent_id IS NOT NULL;
      CREATE INDEX task_by_company ON task (organization_id, company_id, created_at DESC, task_id DESC)
        WHERE company_id IS NOT NULL;
      CREATE INDEX task_by_contact ON task (organization_id, contact_id, created_at DESC, task_id DESC)
        WHERE contact_id IS NOT NULL;
      CREATE INDEX task_by_sale ON task (organization_id, sale_id, created_at DESC, task_id DESC) WHERE sale_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE task`);
  }
}
