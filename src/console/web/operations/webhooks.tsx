import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { reload } from '../data/store.js';
import { Empty } from '../parts/states.js';
import { words } from '../words/words.js';
import { OfOrganization } from './of-organization.js';
import type { Webhook } from './records.js';
import { type Secret, SecretOnce } from './secret.js';
import { Missing, Split } from './split.js';
import { mayChangeWebhooks, useWebhooks, webhooksKey } from './use-webhooks.js';
import { WebhookDetail } from './webhook-detail.js';
import { WebhookForm } from './webhook-form.js';
import { WebhookState } from './webhook-state.js';

const { webhooks: text } = words.operations;

/** Where the events of an organization are sent. */
export const Webhooks = () => (
  <OfOrganization tab="webhooks">
    {(organization, choice) => <List organization={organization} choice={choice} />}
  </OfOrganization>
);

function List({ organization, choice }: { organization: string; choice: ComponentChildren }) {
  const kept = useWebhooks(organization);
  const [secret, setSecret] = useState<Secret | null>(null);
  const rows = kept.data?.data;
  return (
    <>
      <Split<Webhook>
        tab="webhooks"
        label={text.list}
        kept={kept}
        rows={rows}
        again={() => void reload(webhooksKey(organization))}
        idOf={({ webhook_id }) => webhook_id}
        head={choice}
        make={mayChangeWebhooks() ? text.make : undefined}
        empty={
          <Empty title={text.none}>
            <p>{text.noneHint}</p>
          </Empty>
        }
        draw={(row) => (
          <>
            <span class="row-line cut" dir="ltr">
              {row.url}
            </span>
            <span class="row-line small">
              <WebhookState of={row} />
              <span class="quiet cut">{row.description ?? text.types(row.types.length)}</span>
            </span>
          </>
        )}
        detail={(id) => {
          if (id === 'new' && mayChangeWebhooks())
            return <WebhookForm organization={organization} tellSecret={setSecret} />;
          const found = rows?.find(({ webhook_id }) => webhook_id === id);
          if (!found) return <Missing kept={kept} />;
          return <WebhookDetail of={found} organization={organization} tellSecret={setSecret} />;
        }}
      />
      {secret && <SecretOnce secret={secret} close={() => setSecret(null)} />}
    </>
  );
}
