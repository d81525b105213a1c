import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '#database/database.js';
import { notFound } from '#http/problems/problem.js';
import { WorkspaceCache } from './workspace.cache.js';
import { Organization } from './workspace.entities.js';

/** Writes configuration. Each write raises the workspace's version, which tells every process that its cache is outdated. */
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

  /**
   * The same for one organization, one write after the other: the second sees the first. 404 when there is no such
   * organization.
   */
  writeOf<Result>(
    organization_id: string,
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.write(async (manager) => {
      const lock = { mode: 'pessimistic_write' as const };
      if (!(await manager.findOne(Organization, { where: { organization_id }, lock })))
        throw notFound('organization', organization_id);
      return work(manager);
    });
  }
}
