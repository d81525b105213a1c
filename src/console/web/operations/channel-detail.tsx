import { useState } from 'preact/hooks';
import { useCalls } from '../data/organization.js';
import { attempt, notify } from '../data/notices.js';
import { go } from '../data/route.js';
import { words } from '../words/words.js';
import { to } from './address.js';
import { useConfirm } from './confirm.js';
import type { Channel } from './records.js';
import { Copied } from './secret.js';
import { Facts } from './split.js';
import { StateMark } from './state-mark.js';

const { channels: text } = words.operations;

type Trial = { valid: boolean; detail: string | null } | 'under way';

export function ChannelDetail({ of, changed }: { of: Channel; changed: () => Promise<void> }) {
  const calls = useCalls();
  const { dialog, ask } = useConfirm();
  const [trial, setTrial] = useState<Trial | null>(null);
  const { modality } = of;
  const params = { path: { modality } };
  const tryOut = async () => {
    setTrial('under way');
    const isDone = await attempt(async () =>
      setTrial(await calls.POST<Trial>('/channels/{modality}/validate', { params })),
    );
    if (!isDone) setTrial(null);
  };
  const remove = async () => {
    if (!(await attempt(() => calls.DELETE('/channels/{modality}', { params })))) return;
    notify(text.removed);
    go(to('channels'));
    await changed();
  };
  return (
    <>
      <h2>{words.modality[modality]}</h2>
      <Facts facts={factsOf(of)} />
      <div class="ops-acts">
        {modality !== 'live_chat' && (
          <button class="button" disabled={trial === 'under way'} onClick={() => void tryOut()}>
            {text.tryOut}
          </button>
        )}
        <a class="button" href={to('channels', modality, { edit: 'on' })}>
          {text.change}
        </a>
        <button
          class="button"
          onClick={() =>
            ask({ title: text.remove, text: text.removeText, act: text.remove, run: () => void remove() })
          }
        >
          {text.remove}
        </button>
      </div>
      <div role="status">{trial !== null && <Outcome of={trial} />}</div>
      <section class="ops-hooks">
        <h3>{text.hooks}</h3>
        <p class="quiet">{text.hooksHint}</p>
        {Object.entries(of.hooks).map(([name, url]) => (
          <div key={name}>
            <p class="label">{text.hook[name] ?? name}</p>
            <Copied label={text.hook[name] ?? name} value={url} />
          </div>
        ))}
      </section>
      {dialog}
    </>
  );
}

function Outcome({ of }: { of: Trial }) {
  if (of === 'under way') return <StateMark kind="waiting">{text.trying}</StateMark>;
  return of.valid ? (
    <StateMark kind="done">{text.valid}</StateMark>
  ) : (
    <StateMark kind="failed">{text.invalid(of.detail ?? '')}</StateMark>
  );
}

const yes = (is: boolean | undefined): string | undefined =>
  is === undefined ? undefined : is ? words.operations.yes : words.operations.no;

const factsOf = (of: Channel): [string, string | null | undefined][] => [
  [text.provider, of.provider],
  [text.fromName, of.from_name],
  [text.fromAddress, of.from_address],
  [text.host, of.host && `${of.host}:${of.port}`],
  [text.secure, yes(of.secure)],
  [text.username, of.username],
  [text.replyToken, yes(of.reply_token)],
  [text.listUnsubscribe, yes(of.list_unsubscribe)],
  [text.thanks, of.form_thank_you_url],
  [text.accountSid, of.account_sid],
  [text.fromNumber, of.from_number],
  [text.baseUrl, of.base_url],
  [words.operations.id, of.channel_id],
];
