import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions of organizations and agents, raised by each change: what their ETags are made of. */
export class WorkspaceVersions1795790200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organization ADD COLUMN version int NOT NULL DEFAULT 1');
    await runner.query('ALTER TABLE agent ADD COLUMN version int NOT NULL DEFAULT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agent DROP COLUMN version');
    await runner.query('ALTER TABLE organization DROP COLUMN version');
  }
}
