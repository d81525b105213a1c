import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When agents last changed. */
export class AgentUpdates1795655200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE agent ADD COLUMN updated_at timestamptz(6) NOT NULL DEFAULT now();
      UPDATE agent SET updated_at = created_at;
      CREATE INDEX agent_updated ON agent (organization_id, updated_at, agent_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agent DROP COLUMN updated_at');
  }
}
