import { useRef } from 'preact/hooks';
import { changedQuery, go, href, useRoute } from '../data/route.js';
import { useKeys } from '../parts/keys.js';
import { Empty } from '../parts/states.js';
import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';
import { ContactPanel } from './contact-panel.js';
import { ConversationList } from './conversation-list.js';
import { Thread } from './thread.js';
import { useConversation } from './use-conversations.js';

/** List, thread and contact, side by side or, on a small screen, one after the other. */
export default function Inbox() {
  const { path, query } = useRoute();
  const id = path[0] === 'inbox' ? (path[1] ?? null) : null;
  const rows = useRef<string[]>([]);
  const at = useRef(-1);
  if (id !== null && rows.current.includes(id)) at.current = rows.current.indexOf(id);
  const open = (next: string | null) =>
    go(href(next === null ? ['inbox'] : ['inbox', next], changedQuery({ panel: null })));
  const step = (by: number) => {
    // What was closed has left the list, and the next one stands in its place.
    const isGone = id !== null && !rows.current.includes(id);
    const next = rows.current[at.current + (isGone && by > 0 ? 0 : by)];
    if (next !== undefined) open(next);
  };
  const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();
  useKeys([
    { key: 'j', label: words.key.next, act: () => step(1) },
    { key: 'k', label: words.key.previous, act: () => step(-1) },
    { key: '/', label: words.key.search, act: () => focus('#inbox-search') },
    { key: 'Escape', label: words.key.leave, act: () => open(null) },
  ]);
  const conversation = useConversation(id);
  useTitle(conversation.data?.subject ?? words.places.inbox);
  const panel = query.get('panel');
  return (
    <main class={`page inbox ${id === null ? '' : 'has-thread'} ${panel === null ? '' : `panel-${panel}`}`}>
      {id === null && <h1 class="only-read">{words.places.inbox}</h1>}
      <ConversationList chosen={id} tellRows={(ids) => (rows.current = ids)} />
      {id === null ? (
        <Empty title={words.inbox.choose}>
          <p>{words.inbox.chooseHint}</p>
        </Empty>
      ) : (
        <Thread key={id} id={id} conversation={conversation} />
      )}
      {conversation.data && <ContactPanel key={conversation.data.contact_id} of={conversation.data} />}
    </main>
  );
}
