import type { Conversation } from '../data/records.js';
import { href, useRoute } from '../data/route.js';
import { reloadAll } from '../data/store.js';
import { exact, since } from '../format.js';
import { nameOf } from '../inbox/name.js';
import { useConversations } from '../inbox/use-conversations.js';
import { Icon, modalityIcon } from '../parts/icon.js';
import { Empty } from '../parts/states.js';
import { words } from '../words/words.js';
import { Part } from './part.js';

const { waiting: text } = words.today;
const SHOWN = 7;
const WAITING = { waiting: 'true', sort: 'waiting_since' };

/** Whoever waits longest, first. */
export function Waiting() {
  const { query } = useRoute();
  const list = useConversations({ status: 'open', ...WAITING });
  const address = { ...WAITING, org: query.get('org') };
  const { rows = [], next = null } = list.data ?? {};
  const all = rows.length > 0 && (
    <a href={href(['inbox'], address)}>{text.count(rows.length, next !== null)}</a>
  );
  return (
    <Part
      name="waiting-list"
      title={text.title}
      aside={all}
      of={{ ...list, again: () => void reloadAll('list ') }}
      rows={SHOWN}
    >
      {() =>
        rows.length === 0 ? (
          <Empty title={text.nobody}>
            <p>{text.nobodyHint}</p>
          </Empty>
        ) : (
          <ul>
            {rows.slice(0, SHOWN).map((row) => (
              <li key={row.conversation_id}>
                <Row row={row} to={href(['inbox', row.conversation_id], address)} />
              </li>
            ))}
          </ul>
        )
      }
    </Part>
  );
}

function Row({ row, to }: { row: Conversation; to: string }) {
  const { modality } = row.last_message;
  return (
    <a class="brief" href={to}>
      <Icon name={modalityIcon(modality)} />
      <span class="only-read">{words.modality[modality] ?? modality}</span>
      <span class="brief-words">
        <span class="brief-name cut" dir="auto">
          {nameOf(row)}
        </span>
        <span class="quiet cut" dir="auto">
          {row.subject ?? row.preview}
        </span>
      </span>
      <span class="waiting" title={exact(row.waiting_since!)}>
        {words.inbox.waits(since(row.waiting_since!))}
      </span>
    </a>
  );
}
