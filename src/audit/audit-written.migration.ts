import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the log is filtered by is written with each record. Where these are generated columns, as in databases of before, they become
 * plain ones: PostgreSQL adds a generated column to a table with many rows only while nobody uses the table.
 */
export class AuditWritten1795790500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const generated = (await runner.query(
      `SELECT 1 FROM pg_attribute WHERE attrelid = 'audit_log'::regclass AND attname = 'fields' AND attgenerated = 's'`,
    )) as unknown[];
    if (generated.length === 0) return;
    for (const [column, otherwise] of [
      ['actor_type', ''],
      ['fields', '[]'],
    ]) {
      await runner.query(`ALTER TABLE audit_log ALTER COLUMN ${column} DROP EXPRESSION`);
      await runner.query(`ALTER TABLE audit_log ALTER COLUMN ${column} SET DEFAULT '${otherwise}'`);
    }
  }

  /** What the version before writes is the same. */
  async down(): Promise<void> {}
}
