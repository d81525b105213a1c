import { useState } from 'preact/hooks';
import { useCalls } from '../data/organization.js';
import { attempt, notify } from '../data/notices.js';
import { go } from '../data/route.js';
import { reload, reloadAll } from '../data/store.js';
import { Time } from '../parts/states.js';
import { words } from '../words/words.js';
import { to, usePlace } from './address.js';
import { useConfirm } from './confirm.js';
import { shortly } from './numbers.js';
import type { Webhook, WebhookTrial } from './records.js';
import type { Secret } from './secret.js';
import { Facts } from './split.js';
import { StateMark } from './state-mark.js';
import { mayChangeWebhooks, pause, webhooksKey } from './use-webhooks.js';
import { WebhookForm } from './webhook-form.js';
import { WebhookLog } from './webhook-log.js';
import { WebhookState } from './webhook-state.js';

const { webhooks: text } = words.operations;

interface Props {
  of: Webhook;
  organization: string;
  tellSecret: (secret: Secret) => void;
}

export function WebhookDetail({ of, organization, tellSecret }: Props) {
  const { query } = usePlace();
  if (query.get('edit') === 'on' && mayChangeWebhooks())
    return <WebhookForm organization={organization} of={of} tellSecret={tellSecret} />;
  return (
    <>
      <h2 dir="ltr" class="ops-title">
        {of.url}
      </h2>
      <WebhookState of={of} />
      <Facts
        facts={[
          [text.description, of.description],
          [text.typesLabel, of.types.length === 0 ? text.allTypes : of.types.join(', ')],
          [text.failingSince, of.failing_since && <Time at={of.failing_since} />],
          [text.pausedAt, of.paused_at && <Time at={of.paused_at} />],
          [words.operations.made, <Time at={of.created_at} />],
          [words.operations.id, of.webhook_id],
        ]}
      />
      {mayChangeWebhooks() && <Acts of={of} organization={organization} tellSecret={tellSecret} />}
      <WebhookLog webhook={of} />
    </>
  );
}

function Acts({ of, organization, tellSecret }: Props) {
  const calls = useCalls();
  const { dialog, ask } = useConfirm();
  const [trial, setTrial] = useState<WebhookTrial | 'under way' | null>(null);
  const { webhook_id } = of;
  const params = { path: { webhook_id } };
  const test = async () => {
    setTrial('under way');
    const isDone = await attempt(async () =>
      setTrial(await calls.POST<WebhookTrial>('/webhooks/{webhook_id}/test', { params })),
    );
    if (!isDone) setTrial(null);
  };
  const rotate = () =>
    attempt(async () => {
      const { secret } = await calls.POST<{ secret: string }>('/webhooks/{webhook_id}/rotate', {
        params,
        body: {},
      });
      tellSecret({ title: text.newSecret, value: secret });
    });
  const remove = async () => {
    if (!(await attempt(() => calls.DELETE('/webhooks/{webhook_id}', { params })))) return;
    notify(text.removed);
    go(to('webhooks'));
    await reload(webhooksKey(organization));
  };
  const toggle = async () => {
    const next = !of.paused;
    if (!(await pause(calls, organization, of, next))) return;
    const undo = () => void pause(calls, organization, of, !next);
    notify(next ? text.pausedNow : text.resumedNow, { label: words.undo, run: undo });
    void reloadAll(`ops log ${webhook_id}`);
  };
  return (
    <>
      <div class="ops-acts">
        <button class="button" disabled={trial === 'under way'} onClick={() => void test()}>
          {text.test}
        </button>
        <button class="button" onClick={() => void toggle()}>
          {of.paused ? text.resume : text.pause}
        </button>
        <a class="button" href={to('webhooks', webhook_id, { edit: 'on' })}>
          {text.change}
        </a>
        <button
          class="button"
          onClick={() =>
            ask({
              title: text.rotate,
              text: text.rotateText,
              act: text.rotate,
              run: () => void rotate(),
            })
          }
        >
          {text.rotate}
        </button>
        <button
          class="button"
          onClick={() =>
            ask({ title: text.remove, text: text.removeText, act: text.remove, run: () => void remove() })
          }
        >
          {text.remove}
        </button>
      </div>
      <div role="status">{trial !== null && <Trial of={trial} />}</div>
      {dialog}
    </>
  );
}

function Trial({ of }: { of: WebhookTrial | 'under way' }) {
  if (of === 'under way') return <StateMark kind="waiting">{text.testing}</StateMark>;
  const { delivered, status_code, error, duration_ms } = of;
  const time = shortly(duration_ms, { style: 'unit', unit: 'millisecond', unitDisplay: 'short' });
  return delivered ? (
    <StateMark kind="done">{text.taken(String(status_code), time)}</StateMark>
  ) : (
    <StateMark kind="failed">{text.notTaken(error ?? String(status_code))}</StateMark>
  );
}
