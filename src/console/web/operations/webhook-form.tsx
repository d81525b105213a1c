import { useCalls } from '../data/organization.js';
import { notify } from '../data/notices.js';
import { go } from '../data/route.js';
import { reload } from '../data/store.js';
import { words } from '../words/words.js';
import { to } from './address.js';
import { Field, type Filled, Form } from './form.js';
import type { Webhook } from './records.js';
import type { Secret } from './secret.js';
import { webhooksKey } from './use-webhooks.js';

const { webhooks: text } = words.operations;

interface Props {
  organization: string;
  /** The one to change; another one is made without it. */
  of?: Webhook;
  tellSecret: (secret: Secret) => void;
}

export function WebhookForm({ organization, of, tellSecret }: Props) {
  const calls = useCalls();
  const done = async (webhook_id: string) => {
    await reload(webhooksKey(organization));
    go(to('webhooks', webhook_id));
  };
  const make = async (body: object) => {
    const made = await calls.POST<Webhook & { secret: string }>('/webhooks', { body });
    tellSecret({ title: text.newSecret, value: made.secret });
    await done(made.webhook_id);
  };
  const change = async ({ webhook_id }: Webhook, body: object) => {
    await calls.PATCH('/webhooks/{webhook_id}', { params: { path: { webhook_id } }, body });
    notify(words.operations.changed);
    await done(webhook_id);
  };
  return (
    <>
      <h2>{of ? text.change : text.make}</h2>
      <Form
        act={of ? words.operations.save : text.make}
        run={(filled) => (of ? change(of, bodyOf(filled)) : make(bodyOf(filled)))}
        cancel={() => go(to('webhooks', of?.webhook_id ?? null))}
      >
        <Field
          name="url"
          label={text.url}
          hint={text.urlHint}
          type="url"
          required
          isFirst
          dir="ltr"
          defaultValue={of?.url}
        />
        <Field
          name="types"
          label={text.typesLabel}
          hint={text.typesHint}
          dir="ltr"
          defaultValue={of?.types.join(', ')}
        />
        <Field name="description" label={text.description} defaultValue={of?.description ?? ''} />
      </Form>
    </>
  );
}

const bodyOf = ({ url, types = '', description = null }: Filled & { description?: string | null }) => ({
  url,
  types: types.split(/[\s,]+/).filter(Boolean),
  description,
});
