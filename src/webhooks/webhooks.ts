import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/id.js';
import { now, plusSeconds } from '#kernel/instant.js';
import { type FieldProblem, invalid, notFound } from '#http/problems/problem.js';
import { PublicEvents } from '../events/events.contract.js';
import { Vault } from '../workspace/workspace.contract.js';
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
  ) {}

  async list(organizationId: string): Promise<WebhookResponse[]> {
    return (await this.queries.list(organizationId)).map(shown);
  }

  async get(organizationId: string, webhookId: string): Promise<WebhookResponse> {
    return shown(await this.existing(organizationId, webhookId));
  }

  /** Throws 400 for a URL that no webhook can have and for unknown event types. */
  async create(organizationId: string, body: CreateWebhookBody): Promise<NewWebhookResponse> {
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
    await this.queries.insert(row);
    return { ...shown({ ...row, failing_since: null }), secret };
  }

  /** Throws as `create`. A resumed webhook, or one with a new address, is sent to at once. */
  async change(organizationId: string, webhookId: string, body: ChangeWebhookBody): Promise<WebhookResponse> {
    this.check(body);
    const row = await this.queries.change(organizationId, webhookId, (current) => ({
      settings: { ...settingsOf(body), ...pauseOf(current, body.paused) },
      anew:
        (body.url !== undefined && body.url !== current.url) ||
        (body.paused === false && current.paused_at !== null),
    }));
    if (!row) throw notFound('webhook', webhookId);
    this.queue.wake(organizationId, webhookId);
    return shown(row);
  }

  /**
   * Gives the webhook a new secret; for `overlapSeconds` events are signed with the old one, too. If that cannot be opened,
   * nothing could be sent, and what waits is due at once.
   */
  async rotate(
    organizationId: string,
    webhookId: string,
    overlapSeconds = DEFAULT_OVERLAP_SECONDS,
  ): Promise<NewWebhookResponse> {
    const secret = newSecret();
    const row = await this.queries.change(organizationId, webhookId, ({ secrets }) => {
      const at = now();
      const known = this.vault.openIfOurs<Secrets>(secrets, webhookId);
      const next = rotated(known, secret, at, plusSeconds(at, overlapSeconds));
      return { settings: { secrets: this.vault.seal(next, webhookId) }, anew: known === null };
    });
    if (!row) throw notFound('webhook', webhookId);
    this.queue.wake(organizationId, webhookId);
    return { ...shown(row), secret };
  }

  async remove(organizationId: string, webhookId: string): Promise<void> {
    if (!(await this.queries.remove(organizationId, webhookId))) throw notFound('webhook', webhookId);
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
