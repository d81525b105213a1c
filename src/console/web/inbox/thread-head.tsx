import { useCalls } from '../data/organization.js';
import type { Conversation } from '../data/records.js';
import { changedQuery, go, href, useRoute } from '../data/route.js';
import { may } from '../data/session.js';
import { moment, since } from '../format.js';
import { HistoryLink } from '../parts/history-link.js';
import { Icon, type IconName, modalityIcon } from '../parts/icon.js';
import { useKeys } from '../parts/keys.js';
import { Menu } from '../parts/menu.js';
import { TagMark } from '../parts/tag.js';
import { TagsMenu } from '../parts/tags-menu.js';
import { When } from '../parts/when.js';
import { words } from '../words/words.js';
import { nameOf } from './name.js';
import { changeStatus, changeTag, changeWithUndo, useAgents } from './use-conversations.js';

const { acts, inbox: text } = words;

/** What the conversation is, and what one does to it beside answering. */
export function ThreadHead({ of }: { of: Conversation }) {
  const modality = of.last_message.modality;
  return (
    <header class="thread-head">
      <div class="thread-title">
        <a
          class="button bare back"
          href={href(['inbox'], changedQuery({ panel: null }))}
          aria-label={text.backToList}
        >
          <Icon name="back" />
        </a>
        <h1 class="cut">{of.subject ?? nameOf(of)}</h1>
        <PanelButton />
      </div>
      <p class="quiet small thread-facts">
        <Icon name={modalityIcon(modality)} size={14} />
        <span>{words.modality[modality] ?? modality}</span>
        <span>{nameOf(of)}</span>
        <span>{text.count(of.message_count)}</span>
        {of.waiting_since !== null && <span class="waiting">{text.waits(since(of.waiting_since))}</span>}
        {of.status !== 'open' && (
          <span class="badge">
            {of.snoozed_until === null ? text.status[of.status] : acts.snoozedUntil(moment(of.snoozed_until))}
          </span>
        )}
        {of.tags.map((tag) => (
          <TagMark key={tag.tag_id} tag={tag} />
        ))}
        <HistoryLink of={of.conversation_id} class="history" />
      </p>
      {may('write') && <Acts of={of} />}
    </header>
  );
}

function Acts({ of }: { of: Conversation }) {
  const calls = useCalls();
  const isOpen = of.status === 'open';
  const toggle = () => void changeStatus(calls, of, isOpen ? 'closed' : 'open');
  const unread = () => {
    const said = of.is_read ? acts.markedUnread : acts.markedRead;
    void changeWithUndo(calls, of, { is_read: !of.is_read }, said);
  };
  useKeys([
    { key: 'e', label: words.key.close, act: toggle },
    { key: 'u', label: words.key.unread, act: unread },
  ]);
  const reopen = of.status === 'snoozed' ? acts.wake : acts.reopen;
  return (
    <div class="acts">
      <button class="button" onClick={toggle}>
        <Icon name={isOpen ? 'check' : 'back'} />
        {isOpen ? acts.close : reopen}
      </button>
      <Menu
        label={
          <>
            <Icon name="clock" /> {acts.snooze}
          </>
        }
      >
        {(close) => (
          <When
            id="snooze"
            say={acts.snoozeUntil}
            choose={(at) => {
              close();
              void changeStatus(calls, of, 'snoozed', at);
            }}
          />
        )}
      </Menu>
      <Owner of={of} />
      <TagsMenu of={of.tags} toggle={(tag) => void changeTag(calls, of, tag)} />
      <IconButton name="dot" label={of.is_read ? acts.markUnread : acts.markRead} act={unread} />
    </div>
  );
}

function Owner({ of }: { of: Conversation }) {
  const calls = useCalls();
  const agents = useAgents();
  const own = (agent_id: string | null) => {
    const name = agents.find((one) => one.agent_id === agent_id)?.name ?? text.nobody;
    void changeWithUndo(calls, of, { agent_id }, acts.ownedBy(name));
  };
  return (
    <label class="owner">
      <span class="only-read">{acts.owner}</span>
      <select
        class="field"
        value={of.agent_id ?? ''}
        onChange={(event) => own(event.currentTarget.value || null)}
      >
        <option value="">{text.nobody}</option>
        {agents.map(({ agent_id, name }) => (
          <option key={agent_id} value={agent_id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

const IconButton = ({ name, label, act }: { name: IconName; label: string; act: () => void }) => (
  <button class="button" aria-label={label} title={label} onClick={act}>
    <Icon name={name} />
  </button>
);

/** The panel is beside a wide page and above a narrow one; `panel` in the address says which is not as usual. */
function PanelButton() {
  const { query } = useRoute();
  const isWide = matchMedia('(min-width: 1440px)').matches;
  const isShown = isWide ? query.get('panel') !== 'off' : query.get('panel') === 'on';
  const toggle = () => {
    const next = isShown ? (isWide ? 'off' : null) : isWide ? null : 'on';
    go(`${location.pathname}?${changedQuery({ panel: next }).toString()}`, { replace: true });
  };
  useKeys([{ key: 'i', label: words.key.panel, act: toggle }]);
  return (
    <button
      class="button bare"
      aria-pressed={isShown}
      aria-label={acts.contact}
      title={acts.contact}
      onClick={toggle}
    >
      <Icon name="person" />
    </button>
  );
}
