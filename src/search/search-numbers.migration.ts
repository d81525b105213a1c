import type { MigrationInterface, QueryRunner } from 'typeorm';
import { askForRebuild } from '#event-store/pending-rebuilds.js';

/** Contacts are found also by their number in E.164. A rebuild adds it to those that are there. */
export class SearchNumbers1795790000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await askForRebuild(runner, 'search');
  }

  async down(): Promise<void> {}
}
