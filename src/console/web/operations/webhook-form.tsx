import { useCalls } from '../data/organization.js';
import { go } from '../data/route.js';
import { reload } from '../data/store.js';
import { words } from '../words/words.js';
import { to } from './address.js';
import { Field, type Filled, Form } from './form.js';
import { useKeptForm } from './kept-form.js';
import type { Webhook } from './records.js';
import type { Secret } from './secret.js';
import { useEdit } from './use-edit.js';
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
  const kept = useKeptForm('new webhook');
  const done = async (webhook_id: string) => {
    await reload(webhooksKey(organization));
    go(to('webhooks', webhook_id));
  };
  const make = async (body: object) => {
    const made = await calls.POST<Webhook & { secret: string }>('/webhooks', { body });
    tellSecret({ title: text.newSecret, value: made.secret });
    await done(made.webhook_id);
  };
  if (of) return <ChangeForm of={of} done={() => done(of.webhook_id)} />;
  return (
    <>
      <h2>{text.make}</h2>
      <Form
        kept={kept}
        act={text.make}
        run={(filled) => make(bodyOf(filled))}
        cancel={() => go(to('webhooks'))}
      >
        <Fields />
      </Form>
    </>
  );
}

function ChangeForm({ of, done }: { of: Webhook; done: () => Promise<void> }) {
  const calls = useCalls();
  const kept = useKeptForm(`webhook ${of.webhook_id}`, of);
  const listed = kept.base;
  const { webhook_id } = listed;
  const params = { path: { webhook_id } };
  const { save, met } = useEdit<Webhook>({
    kept,
    labels: { url: text.url, types: text.typesLabel, description: text.description },
    read: () => calls.GET('/webhooks/{webhook_id}', { params }),
    write: (body, headers) => calls.PATCH('/webhooks/{webhook_id}', { params, body, headers }),
    done,
  });
  return (
    <>
      <h2>{text.change}</h2>
      {met ?? (
        <Form
          kept={kept}
          act={words.operations.save}
          run={(filled) => save(bodyOf(filled))}
          cancel={() => go(to('webhooks', webhook_id))}
        >
          <Fields of={listed} />
        </Form>
      )}
    </>
  );
}

const Fields = ({ of }: { of?: Webhook }) => (
  <>
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
  </>
);

const bodyOf = ({ url, types = '', description = null }: Filled & { description?: string | null }) => ({
  url,
  types: types.split(/[\s,]+/).filter(Boolean),
  description,
});
