import { useState } from 'preact/hooks';
import { useCalls } from '../data/organization.js';
import { attempt } from '../data/notices.js';
import type { Attachment, Conversation, Message, Person } from '../data/records.js';
import { clockOf, sizeOf } from '../format.js';
import { saveFile } from '../parts/save-file.js';
import { Icon, modalityIcon } from '../parts/icon.js';
import { Linked } from '../parts/linked.js';
import { Time } from '../parts/states.js';
import { listed } from '../words/isolated.js';
import { words } from '../words/words.js';
import { nameOf } from './name.js';
import { MailFrame } from './mail-frame.js';
import { newText } from './quoted-history.js';

const { thread: text } = words;

export function MessageItem({ message, of }: { message: Message; of: Conversation }) {
  const isSent = message.message_direction === 'sent';
  const author = isSent
    ? (message.agent?.name ?? shownName(message.from) ?? text.us)
    : (shownName(message.from) ?? nameOf(of));
  const files = message.attachments.filter(({ is_inline }) => !is_inline);
  return (
    <li class={`entry ${isSent ? 'is-sent' : ''}`}>
      <article aria-label={`${author}, ${isSent ? text.sent : text.received}`}>
        <header class="entry-head">
          <span class="author">{author}</span>
          {!isSent && message.from.email && <span class="quiet small cut">{message.from.email}</span>}
          <Icon name={modalityIcon(message.modality)} size={14} />
          <span class="quiet small">{words.modality[message.modality] ?? message.modality}</span>
          {message.is_auto_reply && <span class="badge">{text.automatic}</span>}
          {message.is_form_request && <span class="badge">{text.form}</span>}
          <Time at={message.sent_at} class="quiet small entry-time" />
        </header>
        <Addressed message={message} />
        {plain(message.subject) !== plain(of.subject) && message.subject !== null && (
          <h3>{message.subject}</h3>
        )}
        <Body message={message} author={author} />
        {message.call_metadata.duration !== null && (
          <p class="quiet">{text.duration(clockOf(message.call_metadata.duration))}</p>
        )}
        {message.call_transcript !== null && (
          <details>
            <summary>{text.transcript}</summary>
            <p class="prose">{message.call_transcript}</p>
          </details>
        )}
        {files.length > 0 && <Files message={message} files={files} />}
        {message.tracked_links.length > 0 && (
          <ul class="quiet small">
            {message.tracked_links.map(({ link_id, url, click_count }) => (
              <li key={link_id} class="cut">
                {url}: {text.clicks(click_count)}
              </li>
            ))}
          </ul>
        )}
      </article>
    </li>
  );
}

/** A subject without what mail programs put before it. */
const plain = (subject: string | null): string =>
  (subject ?? '').replace(/^((re|aw|fwd?|wg|sv|tr):\s*)+/i, '');

const shownName = ({ name, email, phone_number }: Person): string | null =>
  name || email || phone_number || null;

/** Said only when there is more than the two of the conversation. */
function Addressed({ message: { to, cc } }: { message: Message }) {
  if (to.length < 2 && cc.length === 0) return null;
  const names = (people: Person[]) => listed(people.map((one) => shownName(one) ?? words.inbox.unnamed));
  return (
    <p class="quiet small">
      {text.to} {names(to)}
      {cc.length > 0 && ` · ${text.cc} ${names(cc)}`}
    </p>
  );
}

/** A mail whose look says more than its words. */
const DESIGNED = /<(img|table|style|a|ul|ol|h[1-6]|font)\b|\sstyle=/i;

function Body({ message, author }: { message: Message; author: string }) {
  const { content, body_html } = message;
  const added = newText(message);
  const isDesigned = DESIGNED.test(body_html ?? '');
  const hasHistory = added.trim() !== content.trim();
  const [asMail, setAsMail] = useState(!hasHistory && isDesigned);
  const [isTall, setTall] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? content : added;
  return (
    <>
      {asMail ? (
        <MailFrame html={body_html!} message={message} label={text.mail(author)} isTall={isTall} />
      ) : (
        <p class="prose">
          {shown.trim() === '' ? <span class="quiet">{text.noText}</span> : <Linked text={shown} />}
        </p>
      )}
      {(hasHistory || isDesigned) && (
        <div class="entry-acts">
          {hasHistory && !asMail && (
            <button class="button link small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? text.hideHistory : text.history}
            </button>
          )}
          {isDesigned && (
            <button class="button link small" onClick={() => setAsMail(!asMail)}>
              {asMail ? text.asText : text.asMail}
            </button>
          )}
          {asMail && !isTall && (
            <button class="button link small" onClick={() => setTall(true)}>
              {text.taller}
            </button>
          )}
        </div>
      )}
    </>
  );
}

function Files({ message, files }: { message: Message; files: Attachment[] }) {
  const calls = useCalls();
  const save = async ({ attachment_id, file_name }: Attachment) => {
    const { message_id, conversation_id } = message;
    const path = { conversation_id, message_id, attachment_id };
    const bytes = await calls.file(
      '/conversations/{conversation_id}/messages/{message_id}/attachments/{attachment_id}',
      { params: { path } },
    );
    saveFile(bytes, file_name ?? text.unnamedFile);
  };
  return (
    <ul class="files" aria-label={text.files}>
      {files.map((file) => (
        <li key={file.attachment_id}>
          <button
            class="button"
            aria-label={text.download(file.file_name ?? text.unnamedFile)}
            onClick={() => void attempt(() => save(file))}
          >
            <Icon name="file" />
            <span class="cut">{file.file_name ?? text.unnamedFile}</span>
            <span class="quiet small">{sizeOf(file.size)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
