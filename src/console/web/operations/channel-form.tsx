import { useCalls } from '../data/organization.js';
import { notify } from '../data/notices.js';
import { go } from '../data/route.js';
import { words } from '../words/words.js';
import { to } from './address.js';
import { Field, type Filled, Form, Tick } from './form.js';
import { useKeptForm } from './kept-form.js';
import type { Channel, ChannelModality } from './records.js';

const { channels: text } = words.operations;

interface Props {
  modality: ChannelModality;
  /** The one that is there. */
  of: Channel | undefined;
  changed: () => Promise<void>;
}

export function ChannelForm({ modality, of, changed }: Props) {
  const calls = useCalls();
  const kept = useKeptForm(`channel ${modality}`);
  const Fields = FIELDS[modality];
  const save = async (filled: Filled) => {
    const params = { path: { modality } };
    await calls.PUT('/channels/{modality}', { params, body: BODY[modality](filled) });
    notify(words.operations.changed);
    await changed();
    go(to('channels', modality));
  };
  return (
    <>
      <h2>{text.form(words.modality[modality]!)}</h2>
      <Form
        kept={kept}
        act={of ? words.operations.save : text.setItUp}
        run={save}
        cancel={() => go(to('channels', of ? modality : null))}
      >
        <Fields of={of} />
      </Form>
    </>
  );
}

type FieldsProps = Pick<Props, 'of'>;

const FIELDS = { email: EmailFields, text: TextFields, live_chat: () => <p>{text.liveChat}</p> };

function EmailFields({ of }: FieldsProps) {
  return (
    <>
      <Field
        name="from_address"
        label={text.fromAddress}
        type="email"
        required
        isFirst
        dir="ltr"
        defaultValue={of?.from_address}
      />
      <Field name="from_name" label={text.fromName} defaultValue={of?.from_name ?? ''} />
      <div class="ops-pair">
        <Field name="host" label={text.host} required dir="ltr" defaultValue={of?.host} />
        <Field
          name="port"
          label={text.port}
          type="number"
          min={1}
          max={65_535}
          required
          defaultValue={String(of?.port ?? 587)}
        />
      </div>
      <Tick name="secure" label={text.secureHint} checked={of?.secure} />
      <div class="ops-pair">
        <Field
          name="username"
          label={text.username}
          autocomplete="off"
          dir="ltr"
          defaultValue={of?.username ?? ''}
        />
        <Field
          name="password"
          label={text.password}
          type="password"
          autocomplete="new-password"
          hint={of ? text.secretAgain : text.secretHint}
        />
      </div>
      <Field
        name="form_thank_you_url"
        label={text.thanks}
        type="url"
        dir="ltr"
        defaultValue={of?.form_thank_you_url ?? ''}
      />
      <Tick name="reply_token" label={text.replyTokenHint} checked={of?.reply_token} />
      <Tick name="list_unsubscribe" label={text.listUnsubscribeHint} checked={of?.list_unsubscribe} />
    </>
  );
}

function TextFields({ of }: FieldsProps) {
  return (
    <>
      <Field
        name="from_number"
        label={text.fromNumber}
        type="tel"
        required
        isFirst
        dir="ltr"
        defaultValue={of?.from_number}
      />
      <Field name="account_sid" label={text.accountSid} required dir="ltr" defaultValue={of?.account_sid} />
      <Field
        name="auth_token"
        label={text.authToken}
        type="password"
        autocomplete="new-password"
        required
        hint={of ? text.secretAgain : text.secretHint}
      />
      <Field name="base_url" label={text.baseUrl} type="url" dir="ltr" defaultValue={of?.base_url ?? ''} />
    </>
  );
}

const BODY: Record<ChannelModality, (filled: Filled) => object> = {
  email: ({ port, secure, reply_token, list_unsubscribe, ...texts }) => ({
    provider: 'smtp',
    ...texts,
    port: Number(port),
    secure: secure !== undefined,
    reply_token: reply_token !== undefined,
    list_unsubscribe: list_unsubscribe !== undefined,
  }),
  text: (texts) => ({ provider: 'twilio', ...texts }),
  live_chat: () => ({ provider: 'inbox' }),
};
