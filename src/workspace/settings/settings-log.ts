import { Injectable } from '@nestjs/common';
import type { Author } from '#kernel/context.js';
import { type Instant, now } from '#kernel/instant.js';
import { sameValue } from '#kernel/same.js';
import type { Transaction } from '#database/statements/statement.js';
import { type Append, appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { groupBy } from '#event-store/group-by.js';
import { lockOf } from '#event-store/lock.js';
import type { SettingFields, SettingType } from './setting.js';
import { settings } from './settings.projection.js';

/** A change of what is shown of a setting; null where it does not exist before or after it. */
export interface SettingChange {
  organization_id: string;
  record_type: SettingType;
  id: string;
  before: SettingFields | null;
  after: SettingFields | null;
  /** Whether its secret becomes another one. */
  newSecret?: boolean;
}

/** The lock of whoever changes settings of an organization. */
const LOCK = 'settings';

/** Tells by events what operators set up, in the transaction that sets it up (docs/adr/0020-settings-leave-events.md). */
@Injectable()
export class SettingsLog {
  constructor(private readonly store: EventStore) {}

  /**
   * Keeps others from changing settings of these organizations until the transaction ends. What is read afterwards is what will be
   * changed. It draws no transaction id, so the events can still come first.
   */
  async hold(tx: Transaction, organizationIds: string[]): Promise<void> {
    for (const id of [...new Set(organizationIds)].sort()) await tx.query(lockOf(id, [LOCK]));
  }

  /** Appends what has changed; the caller holds the organizations and has written nothing yet. */
  async record(tx: Transaction, author: Author, changes: SettingChange[]): Promise<void> {
    const requests = await Promise.all(
      groupBy(changes, ({ organization_id }) => organization_id).map(async ([organizationId, own]) => ({
        context: { ...author, organizationId },
        appends: await this.appends(tx, organizationId, own),
      })),
    );
    await this.store.appendAcross(
      tx,
      requests.filter(({ appends }) => appends.length > 0),
    );
  }

  private async appends(
    tx: Transaction,
    organizationId: string,
    changes: SettingChange[],
  ): Promise<Append[]> {
    const ids = changes.map(({ id }) => id);
    const states = await this.store.loadAll(tx, organizationId, settings, ids);
    return changes.flatMap(({ record_type, id, before, after, newSecret = false }) => {
      const known = states.get(id)!;
      const changed = (known.state?.fields['secret_changed_at'] ?? null) as Instant | null;
      const told = {
        before: before && { ...before, secret_changed_at: changed },
        after: after && { ...after, secret_changed_at: newSecret ? now() : changed },
      };
      if (sameValue(told.before, told.after)) return [];
      const data = { setting_id: id, record_type, ...told };
      return [appendTo(settings, id, known, [{ type: 'SettingChanged', data }])];
    });
  }
}
