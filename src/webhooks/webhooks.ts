import { Injectable } from '@nestjs/common';
import type { Author, Context } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { now, plusSeconds } from '#kernel/instant.js';
import type { Transaction } from '#database/statements/statement.js';
import { requireExpected } from '#event-store/expectation.js';
import { type FieldProblem, invalid, notFound } from '#http/problems/problem.js';
import { atVersion } from '#http/versions/versioned.js';
import { PublicEvents } from '../events/events.contract.js';
import { SettingsLog, Vault } from '../workspace/workspace.contract.js';
import { Addresses } from './addresses.js';
import { newSecret, rotated, type Secrets } from './signing.js';
import { WebhookQueue } from './webhook.queue.js';
import type {
  ChangeWebhookBody,
  CreateWebhookBody,
  NewWebhookResponse,
  WebhookResponse,
} from './webhooks.dto.js';
import { type Settings, WebhookQueries, type WebhookRow } from './webhooks.queries.js';

const DEFAULT_OVERLAP_SECONDS = 24 * 3600;

/** Webhooks as operators set them up. Secrets are stored sealed and shown once. */
@Injectable()
export class Webhooks {
  constructor(
    private readonly queries: WebhookQueries,
    private readonly queue: WebhookQueue,
    private readonly addresses: Addresses,
    private readonly events: PublicEvents,
    private readonly vault: Vault,
    private readonly log: SettingsLog,
  ) {}

  async list(organizationId: string): Promise<WebhookResponse[]> {
    return (await this.queries.list(organizationId)).map(shown);
  }

  async get(organizationId: string, webhookId: string): Promise<WebhookResponse> {
    const row = await this.existing(organizationId, webhookId);
    return atVersion(shown(row), row.version);
  }

  /** Throws 400 for a URL that no webhook can have and for unknown event types. */
  async create(author: Author, organizationId: string, body: CreateWebhookBody): Promise<NewWebhookResponse> {
    this.check(body);
    const webhook_id = newId('webhook');
    const secret = newSecret();
    const row = {
      organization_id: organizationId,
      webhook_id,
      url: body.url,
      types: [...new Set(body.types)],
      description: body.description ?? null,
      secrets: this.vault.seal({ current: secret, previous: [] } satisfies Secrets, webhook_id),
      paused_at: null,
      paused_because: null,
      created_at: now(),
    };
    const made = { ...row, failing_since: null, version: 1 };
    await this.queries.insert(row, (tx) => this.tell(tx, author, organizationId, null, made));
    return atVersion({ ...shown(made), secret }, made.version);
  }

  /** Throws as `create`. A resumed webhook, or one with a new address, is sent to at once. */
  async change(
    context: Context,
    organizationId: string,
    webhookId: string,
    body: ChangeWebhookBody,
  ): Promise<WebhookResponse> {
    this.check(body);
    const row = await this.queries.change(
      organizationId,
      webhookId,
      (current) => {
        requireExpected(context, { state: current, version: current.version });
        return {
          settings: { ...settingsOf(body), ...pauseOf(current, body.paused) },
          anew:
            (body.url !== undefined && body.url !== current.url) ||
            (body.paused === false && current.paused_at !== null),
        };
      },
      (tx, before, after) => this.tell(tx, context, organizationId, before, after),
    );
    if (!row) throw notFound('webhook', webhookId);
    this.queue.wake(organizationId, webhookId);
    return atVersion(shown(row), row.version);
  }

  /**
   * Gives the webhook a new secret; for `overlapSeconds` events are signed with the old one, too. If that cannot be opened,
   * nothing could be sent, and what waits is due at once.
   */
  async rotate(
    author: Author,
    organizationId: string,
    webhookId: string,
    overlapSeconds = DEFAULT_OVERLAP_SECONDS,
  ): Promise<NewWebhookResponse> {
    const secret = newSecret();
    const row = await this.queries.change(
      organizationId,
      webhookId,
      ({ secrets }) => {
        const at = now();
        const known = this.vault.openIfOurs<Secrets>(secrets, webhookId);
        const next = rotated(known, secret, at, plusSeconds(at, overlapSeconds));
        return { settings: { secrets: this.vault.seal(next, webhookId) }, anew: known === null };
      },
      (tx, before, after) => this.tell(tx, author, organizationId, before, after, true),
    );
    if (!row) throw notFound('webhook', webhookId);
    this.queue.wake(organizationId, webhookId);
    return atVersion({ ...shown(row), secret }, row.version);
  }

  async remove(author: Author, organizationId: string, webhookId: string): Promise<void> {
    const removed = await this.queries.remove(organizationId, webhookId, (tx, before) =>
      this.tell(tx, author, organizationId, before, null),
    );
    if (!removed) throw notFound('webhook', webhookId);
  }

  /** Tells the audit log of a change that is about to be written. */
  private async tell(
    tx: Transaction,
    author: Author,
    organization_id: string,
    before: WebhookRow | null,
    after: WebhookRow | null,
    newSecret = false,
  ): Promise<void> {
    const id = (after ?? before)!.webhook_id;
    const told = { before: before && auditedOf(before), after: after && auditedOf(after), newSecret };
    await this.log.record(tx, author, [{ organization_id, record_type: 'webhook', id, ...told }]);
  }

  /** Throws 404 when the organization has no such webhook. */
  async existing(organizationId: string, webhookId: string): Promise<WebhookRow> {
    const row = await this.queries.webhook(organizationId, webhookId);
    if (!row) throw notFound('webhook', webhookId);
    return row;
  }

  private check({ url, types = [] }: { url?: string; types?: string[] }): void {
    const problems: FieldProblem[] = [];
    const refusal = url === undefined ? null : this.addresses.refusalOf(url);
    if (refusal !== null) problems.push({ field: 'url', detail: refusal });
    const unknown = this.events.unknownAmong(types);
    if (unknown !== null) problems.push({ field: 'types', detail: unknown });
    if (problems.length > 0) throw invalid(problems);
  }
}

function settingsOf({ url, types, description }: ChangeWebhookBody): Partial<Settings> {
  return {
    ...(url !== undefined && { url }),
    ...(types !== undefined && { types: [...new Set(types)] }),
    ...(description !== undefined && { description }),
  };
}

function pauseOf(current: WebhookRow, paused: boolean | undefined): Partial<Settings> {
  if (paused === undefined || paused === (current.paused_at !== null)) return {};
  return paused ? { paused_at: now(), paused_because: 'asked' } : { paused_at: null, paused_because: null };
}

/** What was set up, and not how its endpoint does. */
const auditedOf = (row: WebhookRow) => {
  const { failing_since: _, ...fields } = shown(row);
  return fields;
};

const shown = (row: WebhookRow): WebhookResponse => ({
  webhook_id: row.webhook_id,
  url: row.url,
  types: row.types,
  description: row.description,
  paused: row.paused_at !== null,
  paused_at: row.paused_at,
  paused_because: row.paused_because,
  failing_since: row.failing_since,
  created_at: row.created_at,
});
