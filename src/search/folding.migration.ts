import type { MigrationInterface, QueryRunner } from 'typeorm';
import { askForRebuild } from '#event-store/pending-rebuilds.js';

/** Read models with texts as they are compared, or with tags in the order of their names. */
const FOLDED = ['contact', 'company', 'conversation', 'sale', 'tag', 'template', 'audit', 'search'];

/** More letters and marks are folded: rebuilds give the rows that are there their keys. */
export class Folding1795790800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const name of FOLDED) await askForRebuild(runner, name);
  }

  async down(): Promise<void> {}
}
