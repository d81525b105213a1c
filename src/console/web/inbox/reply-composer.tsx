import { useState } from 'preact/hooks';
import { allPages } from '../data/all-pages.js';
import { useCalls } from '../data/organization.js';
import { attempt } from '../data/notices.js';
import type { Conversation, KeptFile, Page, Template } from '../data/records.js';
import { may } from '../data/session.js';
import { useKept } from '../data/store.js';
import { moment, sizeOf } from '../format.js';
import { Icon } from '../parts/icon.js';
import { Menu } from '../parts/menu.js';
import { NotSaved } from '../parts/not-saved.js';
import { When } from '../parts/when.js';
import { words } from '../words/words.js';
import { DeliveryState } from './delivery-state.js';
import { nameOf } from './name.js';
import { MetReply } from './met-reply.js';
import { isFormatted, toText } from './reply-text.js';
import { isMail, isUnderWay, textOf } from './pending-reply.js';
import { useReply } from './use-reply.js';

const { composer: text } = words;

export function ReplyComposer({ of, sent }: { of: Conversation; sent: () => void }) {
  const reply = useReply(of, sent);
  const [missing, setMissing] = useState<string[]>([]);
  const { draft, change } = reply;
  if (reply.reply && isUnderWay(reply.reply))
    return (
      <>
        <DeliveryState
          reply={reply.reply}
          takeBack={() => void reply.takeBack()}
          sendNow={() => void reply.sendNow()}
        />
        <p class="prose pending" dir="auto">
          {textOf(reply.reply)}
        </p>
      </>
    );
  const isEmail = isMail(of);
  const isEmpty = draft.text.trim() === '';
  const isBad = reply.reply && reply.reply.delivery.status !== 'none';
  const canSend = may('send') && !isEmpty && reply.state !== 'saving' && reply.met === null;
  return (
    <>
      {isBad && (
        <DeliveryState
          reply={reply.reply!}
          takeBack={() => void reply.takeBack()}
          sendNow={() => void reply.sendNow()}
        />
      )}
      {reply.isFound && reply.state !== 'same' && <NotSaved />}
      {reply.met && <MetReply mine={draft} {...reply.met} />}
      <textarea
        class="field"
        rows={4}
        aria-label={text.replyText}
        placeholder={text.replyTo(nameOf(of))}
        value={draft.text}
        onInput={(event) => change({ text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && canSend) void reply.send();
        }}
      />
      {reply.state === 'same' && isFormatted(reply.reply?.body_html ?? '') && (
        <p class="small waiting">{text.formatted}</p>
      )}
      {missing.length > 0 && <p class="small waiting">{text.missing(missing.join(', '))}</p>}
      {reply.refusal !== null && (
        <p class="refusal" role="alert">
          {reply.refusal}
        </p>
      )}
      {isEmail && draft.files.length > 0 && (
        <Files files={draft.files} remove={(files) => change({ files })} />
      )}
      <div class="composer-acts">
        {may('send') && (
          <>
            <button class="button main" disabled={!canSend} onClick={() => void reply.send()}>
              {text.send}
            </button>
            <SendLater disabled={!canSend} send={(at) => void reply.send(at)} />
          </>
        )}
        <Templates
          of={of}
          use={(body, names) => {
            setMissing(names);
            change({ text: draft.text.trim() === '' ? body : `${draft.text.trimEnd()}\n\n${body}` });
          }}
        />
        {isEmail && <Attach add={(file) => change({ files: [...draft.files, file] })} />}
        {may('send') && (
          <label class="check">
            <input
              type="checkbox"
              checked={draft.close_after_send}
              onChange={(event) => change({ close_after_send: event.currentTarget.checked })}
            />
            {text.closeAfter}
          </label>
        )}
        {reply.met === null && <SaveState of={of} reply={reply} />}
      </div>
    </>
  );
}

function SaveState({
  of,
  reply: { state, draft, reply, save, discard },
}: {
  of: Conversation;
  reply: ReturnType<typeof useReply>;
}) {
  if (state === 'same' && !reply)
    return may('send') ? null : <span class="quiet small end">{text.mayNotSend}</span>;
  const to = isMail(of) ? (reply?.recipient_email ?? null) : null;
  const said = {
    same: reply ? text.saved(moment(reply.updated_at), to) : '',
    changed: text.unsaved,
    saving: text.saving,
  };
  return (
    <span class="end">
      <span class="quiet small" role="status">
        {said[state]}
      </span>
      {state === 'changed' && draft.text.trim() !== '' && (
        <button class="button slim" onClick={() => void save()}>
          {text.save}
        </button>
      )}
      <button class="button slim" onClick={() => void discard()}>
        {text.discard}
      </button>
    </span>
  );
}

const SendLater = ({ disabled, send }: { disabled: boolean; send: (at: Date) => void }) => (
  <Menu
    label={
      <>
        <Icon name="clock" /> <span class="word">{text.sendLater}</span>
      </>
    }
    name={text.sendLater}
    place="up"
    disabled={disabled}
  >
    {(close) => (
      <When
        id="send"
        say={text.sendAt}
        choose={(at) => {
          close();
          send(at);
        }}
      />
    )}
  </Menu>
);

function Templates({ of, use }: { of: Conversation; use: (body: string, missing: string[]) => void }) {
  const calls = useCalls();
  const load = () => allPages((query) => calls.GET<Page<Template>>('/templates', { params: { query } }));
  const templates =
    useKept('templates', load).data?.filter((one) => one.modality === of.reply_modality) ?? [];
  const fill = ({ template_id }: Template) =>
    attempt(async () => {
      const { body_html, missing } = await calls.POST<{ body_html: string; missing: string[] }>(
        '/templates/{template_id}/render',
        { params: { path: { template_id } }, body: { conversation_id: of.conversation_id } },
      );
      use(toText(body_html), missing);
    });
  return (
    <Menu label={text.template} place="up">
      {(close) =>
        templates.length === 0 ? (
          <p class="quiet small menu-words">{text.noTemplates}</p>
        ) : (
          templates.map((template) => (
            <button
              key={template.template_id}
              class="menu-item"
              onClick={() => {
                close();
                void fill(template);
              }}
            >
              {template.name}
            </button>
          ))
        )
      }
    </Menu>
  );
}

function Attach({ add }: { add: (file: KeptFile) => void }) {
  const calls = useCalls();
  const upload = (file: File | undefined) => {
    if (file)
      void attempt(async () =>
        add(
          await calls.POST<KeptFile>('/files', { params: { query: { file_name: file.name } }, body: file }),
        ),
      );
  };
  return (
    <label class="button attach" title={text.attach}>
      <Icon name="attach" />
      <span class="only-read">{text.attach}</span>
      <input
        type="file"
        class="only-read"
        onChange={(event) => {
          upload(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}

const Files = ({ files, remove }: { files: KeptFile[]; remove: (left: KeptFile[]) => void }) => (
  <ul class="files">
    {files.map((file) => (
      <li key={file.file_id} class="tag">
        <Icon name="file" size={14} />
        <span class="cut">{file.file_name}</span>
        <span class="quiet">{sizeOf(file.size)}</span>
        <button
          class="button link"
          aria-label={text.detach(file.file_name)}
          onClick={() => remove(files.filter((one) => one !== file))}
        >
          <Icon name="close" size={12} />
        </button>
      </li>
    ))}
  </ul>
);
