import { useEffect } from 'preact/hooks';
import { useCalls } from '../data/organization.js';
import { notify } from '../data/notices.js';
import { go } from '../data/route.js';
import { reload } from '../data/store.js';
import { Empty, Failed, Skeleton, Time } from '../parts/states.js';
import { words } from '../words/words.js';
import { to, usePlace } from './address.js';
import { Choice } from './form.js';
import type { Webhook, WebhookDelivery } from './records.js';
import { StateMark } from './state-mark.js';
import { logKey, mayChangeWebhooks, redeliver, useLog } from './use-webhooks.js';

const { webhooks: text } = words.operations;

/** While something is on its way the log is looked at so often. */
const LEAVING_MS = 2_000;

const KIND = { delivered: 'done', failed: 'failed', retrying: 'waiting', pending: 'waiting' } as const;

/** What was and is to be sent to a webhook, newest first. */
export function WebhookLog({ webhook: { webhook_id, paused } }: { webhook: Webhook }) {
  const { query } = usePlace();
  const status = query.get('log');
  const { data, error, more } = useLog(webhook_id, status);
  const isLeaving = !paused && (data?.rows.some((row) => row.status === 'pending') ?? false);
  useEffect(() => {
    if (!isLeaving) return;
    const timer = setInterval(() => void reload(logKey(webhook_id, status)), LEAVING_MS);
    return () => clearInterval(timer);
  }, [isLeaving, status]);
  return (
    <section class="ops-log" aria-label={text.log}>
      <div class="ops-log-head">
        <h3>{text.log}</h3>
        <Choice
          name="log"
          label={words.operations.deliveries.status}
          value={status ?? ''}
          options={[['', text.anyState], ...Object.entries(text.state)]}
          onChange={(log) => go(to('webhooks', webhook_id, { log }), { replace: true })}
        />
      </div>
      {!data && error && <Failed error={error} again={() => void reload(logKey(webhook_id, status))} />}
      {!data && !error && <Skeleton rows={4} height={48} />}
      {data?.rows.length === 0 && <Empty title={text.emptyLog} />}
      {data && data.rows.length > 0 && (
        <ul class="ops-rows">
          {data.rows.map((row) => (
            <Entry key={row.delivery_id} of={row} webhookId={webhook_id} />
          ))}
        </ul>
      )}
      {data && data.next !== null && (
        <button class="button" onClick={more}>
          {words.more}
        </button>
      )}
    </section>
  );
}

function Entry({ of, webhookId }: { of: WebhookDelivery; webhookId: string }) {
  const calls = useCalls();
  const again = async () => {
    if (await redeliver(calls, webhookId, of)) notify(text.redelivered);
  };
  return (
    <li class="ops-row">
      <span class="ops-what">
        <strong>{of.type}</strong>
        <span class="quiet small">
          <Time at={of.last_attempt_at ?? of.created_at} /> ·{' '}
          {words.operations.deliveries.attempts(of.attempts)}
          {of.next_attempt_at !== null && of.status === 'retrying' && (
            <>
              {' '}
              · {words.operations.deliveries.next} <Time at={of.next_attempt_at} />
            </>
          )}
        </span>
        {of.last_error !== null && of.status !== 'delivered' && <span class="small">{of.last_error}</span>}
      </span>
      <StateMark kind={KIND[of.status]}>
        {text.state[of.status]}
        {of.last_status_code !== null && ` (${of.last_status_code})`}
      </StateMark>
      {mayChangeWebhooks() && of.status !== 'pending' && (
        <button class="button" aria-label={text.redeliverOf(of.type)} onClick={() => void again()}>
          {text.redeliver}
        </button>
      )}
    </li>
  );
}
