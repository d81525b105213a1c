import { type Calls, useCalls } from '../data/organization.js';
import { attempt } from '../data/notices.js';
import { usePages } from '../data/pages.js';
import type { Rows } from '../data/rows.js';
import type { Page } from '../data/records.js';
import { isOperator, may } from '../data/session.js';
import { type Kept, patch, patchAll, reload, useKept } from '../data/store.js';
import type { List, Webhook, WebhookDelivery } from './records.js';

const PAGE = 50;

export const mayChangeWebhooks = (): boolean => isOperator() || may('write');

export const webhooksKey = (organization: string): string => `ops webhooks ${organization}`;

export function useWebhooks(organization: string): Kept<List<Webhook>> {
  const calls = useCalls();
  return useKept(webhooksKey(organization), () => calls.GET<List<Webhook>>('/webhooks'));
}

export const logKey = (webhook: string, status: string | null): string => `ops log ${webhook} ${status}`;

/** What was and is to be sent to a webhook. */
export function useLog(
  webhook_id: string,
  status: string | null,
): Kept<Rows<WebhookDelivery>> & { more: () => void } {
  const calls = useCalls();
  return usePages<WebhookDelivery>(
    logKey(webhook_id, status),
    (cursor) =>
      calls.GET<Page<WebhookDelivery>>('/webhooks/{webhook_id}/deliveries', {
        params: { path: { webhook_id }, query: { status, limit: PAGE, cursor } },
      }),
    ({ delivery_id }) => delivery_id,
  );
}

/** Pauses or resumes it; shown at once, and taken back when it is refused. */
export async function pause(
  calls: Calls,
  organization: string,
  webhook: Webhook,
  paused: boolean,
): Promise<boolean> {
  const { webhook_id } = webhook;
  const key = webhooksKey(organization);
  const takeBack = patch<List<Webhook>>(key, ({ data }) => ({
    data: data.map((one) =>
      one.webhook_id === webhook_id ? { ...one, paused, paused_because: paused ? 'asked' : null } : one,
    ),
  }));
  const isDone = await attempt(
    () => calls.PATCH('/webhooks/{webhook_id}', { params: { path: { webhook_id } }, body: { paused } }),
    takeBack,
  );
  void reload(key);
  return isDone;
}

/** Sends an event once more. */
export async function redeliver(
  calls: Calls,
  webhook_id: string,
  { delivery_id }: WebhookDelivery,
): Promise<boolean> {
  const path = { webhook_id, delivery_id };
  const takeBack = patchAll<Rows<WebhookDelivery>>(`ops log ${webhook_id}`, ({ rows, next }) => ({
    rows: rows.map((one) => (one.delivery_id === delivery_id ? { ...one, status: 'pending' } : one)),
    next,
  }));
  return attempt(
    () => calls.POST('/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', { params: { path } }),
    takeBack,
  );
}
