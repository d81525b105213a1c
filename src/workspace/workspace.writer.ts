import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '#database/database.js';
import { WorkspaceCache } from './workspace.cache.js';

/** Writes configuration. Each write raises the workspace's version, by which every process learns that its caches are old. */
@Injectable()
export class WorkspaceWriter {
  constructor(
    private readonly database: Database,
    private readonly cache: WorkspaceCache,
  ) {}

  async write<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    const result = await this.database.source.transaction(async (manager) => {
      const done = await work(manager);
      await manager.query('UPDATE workspace_version SET version = version + 1');
      return done;
    });
    this.cache.clear();
    return result;
  }
}
