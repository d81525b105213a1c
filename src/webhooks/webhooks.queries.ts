import { Injectable } from '@nestjs/common';
import { isId } from '#kernel/id.js';
import type { Instant } from '#kernel/instant.js';
import { sameValue } from '#kernel/same.js';
import { Database } from '#database/database.js';
import { untilDone } from '#database/refusal.js';
import type { Reader, Transaction } from '#database/statements/statement.js';
import { SettingsLog } from '../workspace/workspace.contract.js';
import type { PausedBecause } from './retries.js';

/** A webhook as operators set it up, and its endpoint's health. */
export interface WebhookRow {
  organization_id: string;
  webhook_id: string;
  url: string;
  /** Empty for events of all types. */
  types: string[];
  description: string | null;
  secrets: Buffer;
  paused_at: Instant | null;
  paused_because: PausedBecause | null;
  failing_since: Instant | null;
  created_at: Instant;
  /** Raised by each change of what is shown of it. */
  version: number;
}

/** What an operator may change. */
export type Settings = Pick<
  WebhookRow,
  'url' | 'types' | 'description' | 'secrets' | 'paused_at' | 'paused_because'
>;

const COLUMNS = `organization_id, webhook_id, url, types, description, secrets, paused_at, paused_because,
  failing_since, created_at, version`;

/** Reads and writes of webhooks. */
@Injectable()
export class WebhookQueries {
  constructor(
    private readonly database: Database,
    private readonly log: SettingsLog,
  ) {}

  /** All webhooks of the organization, newest first. */
  list(organizationId: string): Promise<WebhookRow[]> {
    return this.database.query({
      name: 'webhooks',
      text: `SELECT ${COLUMNS} FROM webhook WHERE organization_id = $1 ORDER BY created_at DESC, webhook_id DESC`,
      values: [organizationId],
    });
  }

  async webhook(organizationId: string, webhookId: string): Promise<WebhookRow | undefined> {
    return isId('webhook', webhookId) ? read(this.database, organizationId, webhookId) : undefined;
  }

  /** `tell` appends the event of it. */
  async insert(
    row: Omit<WebhookRow, 'failing_since' | 'version'>,
    tell: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const { organization_id, webhook_id, url, types, description, secrets, created_at } = row;
    await this.held(organization_id, async (tx) => {
      await tell(tx);
      await tx.query({
        text: `INSERT INTO webhook (organization_id, webhook_id, url, types, description, secrets, created_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        values: [organization_id, webhook_id, url, types, description, secrets, created_at],
      });
    });
  }

  /**
   * Changes a webhook, one caller at a time; gives it as it is then, undefined when there is none. A process that is
   * sending to it loses the lane with its next try. With `anew` its endpoint counts as healthy, and deliveries waiting for
   * a retry are due at once. `tell` appends the event of it.
   */
  async change(
    organizationId: string,
    webhookId: string,
    decide: (current: WebhookRow) => { settings: Partial<Settings>; anew: boolean },
    tell: (tx: Transaction, before: WebhookRow, after: WebhookRow) => Promise<void>,
  ): Promise<WebhookRow | undefined> {
    if (!isId('webhook', webhookId)) return undefined;
    return this.held(organizationId, async (tx) => {
      const known = await read(tx, organizationId, webhookId);
      if (!known) return undefined;
      await tell(tx, known, { ...known, ...decide(known).settings });
      // The row is locked only now, as that draws a transaction id. The worker may have paused the webhook meanwhile.
      const current = (await read(tx, organizationId, webhookId, 'FOR NO KEY UPDATE'))!;
      const { settings, anew } = decide(current);
      const changed = { ...current, ...settings };
      if (anew || !sameValue(current, changed)) changed.version++;
      await write(tx, changed);
      if (anew) await startAnew(tx, organizationId, webhookId);
      return { ...changed, failing_since: anew ? null : changed.failing_since };
    });
  }

  /** Removes a webhook with its log; gives whether there was one. `tell` appends the event of it. */
  async remove(
    organizationId: string,
    webhookId: string,
    tell: (tx: Transaction, before: WebhookRow) => Promise<void>,
  ): Promise<boolean> {
    if (!isId('webhook', webhookId)) return false;
    const values = [organizationId, webhookId];
    return this.held(organizationId, async (tx) => {
      const current = await read(tx, organizationId, webhookId);
      if (!current) return false;
      await tell(tx, current);
      // The webhook first: this waits for a feed batch that is recording deliveries for it. The second statement then sees
      // those.
      const removed = await tx.query({
        text: 'DELETE FROM webhook WHERE organization_id = $1 AND webhook_id = $2 RETURNING 1',
        values,
      });
      await tx.query({
        text: 'DELETE FROM webhook_delivery WHERE organization_id = $1 AND webhook_id = $2',
        values,
      });
      return removed.length > 0;
    });
  }

  /** Runs `work` while nobody else changes settings of the organization. */
  private held<Result>(organizationId: string, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const alone = () =>
      this.database.transaction(async (tx) => {
        await this.log.hold(tx, [organizationId]);
        return work(tx);
      });
    // Events of it may be refused, where somebody has drawn the line of their organization at this moment.
    return untilDone(alone);
  }
}

async function read(
  reader: Reader,
  organizationId: string,
  webhookId: string,
  lock = '',
): Promise<WebhookRow | undefined> {
  const [row] = await reader.query<WebhookRow>({
    text: `SELECT ${COLUMNS} FROM webhook WHERE organization_id = $1 AND webhook_id = $2 ${lock}`,
    values: [organizationId, webhookId],
  });
  return row;
}

async function write(tx: Transaction, row: WebhookRow): Promise<void> {
  const { organization_id, webhook_id, url, types, description, secrets, ...state } = row;
  const { paused_at, paused_because, version } = state;
  const settings = [url, types, description, secrets];
  await tx.query({
    text: `UPDATE webhook SET url = $3, types = $4, description = $5, secrets = $6, paused_at = $7, paused_because = $8,
                              version = $9, fence = fence + 1, worker = NULL, lease_until = NULL
            WHERE organization_id = $1 AND webhook_id = $2`,
    values: [organization_id, webhook_id, ...settings, paused_at, paused_because, version],
  });
}

async function startAnew(tx: Transaction, organizationId: string, webhookId: string): Promise<void> {
  const values = [organizationId, webhookId];
  await tx.query({
    text: `UPDATE webhook SET failures = 0, failing_since = NULL, resting_until = NULL
            WHERE organization_id = $1 AND webhook_id = $2`,
    values,
  });
  await tx.query({
    text: `UPDATE webhook_delivery SET due_at = least(created_at, now())
            WHERE organization_id = $1 AND webhook_id = $2 AND due_at > least(created_at, now())`,
    values,
  });
}
