import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ROLES, type Roles } from '#config/roles.js';
import { Database } from '#database/database.js';
import { appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { Sweeper } from '#jobs/sweeper.js';
import { systemContext } from '#kernel/context.js';
import { type Instant, plusSeconds } from '#kernel/instant.js';
import { file, type UploadedFile } from './file.js';
import { files } from './files.projection.js';
import { FileQueries } from './files.queries.js';
import { bytesLock, StoredFiles } from './stored-files.js';

const SWEEP_MS = 5 * 60_000;
const AT_ONCE = 100;
const KEPT_SECONDS = 24 * 60 * 60;

/** Removes files that have been in no draft for a day, and bytes that no other file has. */
@Injectable()
export class UnusedFiles implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweeper = new Sweeper(new Logger('files'), () => this.removeOld());

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly queries: FileQueries,
    private readonly stored: StoredFiles,
    @Inject(ROLES) private readonly roles: Roles,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.sweeper.start(SWEEP_MS);
    this.sweeper.sweep();
  }

  onApplicationShutdown(): Promise<void> {
    return this.sweeper.stop();
  }

  async removeOld(): Promise<void> {
    const before = plusSeconds(await this.database.now(), -KEPT_SECONDS);
    for (;;) {
      const found = await this.queries.unused(before, AT_ONCE);
      for (const { organization_id, file_id } of found) await this.remove(organization_id, file_id, before);
      if (found.length < AT_ONCE) return;
    }
  }

  /**
   * A draft that takes the file at this moment holds the file's lock, too: either it is in the draft by now and stays, or the draft
   * finds none. The bytes go first. Were the transaction to fail then, the file would have none, so no draft would take it.
   */
  private async remove(organizationId: string, fileId: string, before: Instant): Promise<void> {
    await this.store.exclusively(organizationId, [fileId], async (tx) => {
      const current = await this.store.load<UploadedFile>(tx, organizationId, files, fileId);
      const events = file.decide(current.state, { type: 'RemoveFile', unused_before: before });
      if (!current.state || events.length === 0) return;
      const { sha256 } = current.state;
      this.store.lock(tx, organizationId, [bytesLock(sha256)]);
      if (!(await this.queries.hasTwin(tx, organizationId, current.state)))
        await this.stored.remove(organizationId, sha256);
      await this.store.appendIn(tx, systemContext(organizationId), [
        appendTo(files, fileId, current, events),
      ]);
    });
  }
}
