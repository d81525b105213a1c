import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Author } from '#kernel/context.js';
import { Database } from '#database/database.js';
import { transactionOf } from '#database/managed-transaction.js';
import { untilDone } from '#database/refusal.js';
import { notFound } from '#http/problems/problem.js';
import { type SettingChange, SettingsLog } from './settings/settings-log.js';
import { WorkspaceCache } from './workspace.cache.js';
import { Organization } from './workspace.entities.js';

/** What a change of configuration tells the audit log, and the writing itself. */
interface Decided<Result> {
  changes: SettingChange[];
  write: () => Promise<Result>;
}

/** Decides on a change by what it reads; it must not write, nor lock rows, as the events come first. */
type Decide<Result> = (manager: EntityManager) => Promise<Decided<Result>>;

/** Writes configuration; the work may run more than once. Each write raises the workspace's version, which tells every process that its cache is outdated. */
@Injectable()
export class WorkspaceWriter {
  constructor(
    private readonly database: Database,
    private readonly cache: WorkspaceCache,
    private readonly log: SettingsLog,
  ) {}

  async write<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    const written = () =>
      this.database.source.transaction(async (manager) => {
        const done = await work(manager);
        await manager.query('UPDATE workspace_version SET version = version + 1');
        return done;
      });
    // Events of it may be refused, where somebody has drawn the line of their organization at this moment.
    const result = await untilDone(written);
    this.cache.clear();
    return result;
  }

  /** The same with its events. Changes of one organization come one after the other: the second sees the first. */
  change<Result>(author: Author, organizationIds: string[], decide: Decide<Result>): Promise<Result> {
    return this.write(async (manager) => {
      const tx = transactionOf(manager);
      await this.log.hold(tx, organizationIds);
      const { changes, write } = await decide(manager);
      await this.log.record(tx, author, changes);
      return write();
    });
  }

  /** The same for one organization; 404 when there is no such organization. */
  changeOf<Result>(author: Author, organization_id: string, decide: Decide<Result>): Promise<Result> {
    return this.change(author, [organization_id], async (manager) => {
      if (!(await manager.findOne(Organization, { where: { organization_id } })))
        throw notFound('organization', organization_id);
      return decide(manager);
    });
  }
}
