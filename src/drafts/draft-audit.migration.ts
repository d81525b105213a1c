import type { MigrationInterface, QueryRunner } from 'typeorm';
import { askForRebuild } from '#event-store/pending-rebuilds.js';

/** The audit log tells of files, signature and what a reply does besides, as drafts show them; a rebuild adds what was before. */
export class DraftAudit1795790400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await askForRebuild(runner, 'audit');
  }

  async down(): Promise<void> {}
}
