import { useCalls } from '../data/organization.js';
import type { Comment, Page, TimelineEntry } from '../data/records.js';
import { addressOf } from '../data/record-address.js';
import { useKept } from '../data/store.js';
import { useAgents } from '../inbox/use-conversations.js';
import { words } from '../words/words.js';
import { LinkedList } from './linked-list.js';
import { LinkedRow } from './linked-row.js';
import { iconOf, keyOfEntry, kindOf, targetOf, titleOf } from './timeline-entry.js';

interface Props {
  /** Whose it is. */
  of: string;
  load: (cursor: string | null) => Promise<Page<TimelineEntry>>;
}

/** What happened with a record, the latest first. */
export const TimelineList = ({ of, load }: Props) => (
  <LinkedList<TimelineEntry>
    of={`whole timeline ${of}`}
    label={words.contact.timeline}
    load={load}
    idOf={keyOfEntry}
    none={words.contacts.nothingHappened}
    draw={(entry) =>
      entry.type === 'comment' && !entry.conversation_id ? <Note entry={entry} /> : <Entry entry={entry} />
    }
  />
);

function Entry({ entry, to = targetOf(entry) }: { entry: TimelineEntry; to?: string | undefined }) {
  const agents = useAgents();
  const agent = agents.find(({ agent_id }) => agent_id === entry.agent_id)?.name ?? '';
  const title = titleOf(entry);
  return (
    <LinkedRow
      to={to}
      icon={iconOf(entry)}
      title={title || kindOf(entry)}
      facts={[title && kindOf(entry), entry.name, agent, entry.preview].filter((fact) => fact !== title)}
      at={entry.occurred_at}
    />
  );
}

/** A comment on the record or on one of its sales, which only the comment itself tells. */
function Note({ entry }: { entry: TimelineEntry }) {
  const calls = useCalls();
  const { data } = useKept(`comment ${entry.id}`, () =>
    calls.GET<Comment & { record: { type: string; id: string } }>('/comments/{id}', {
      params: { path: { id: entry.id } },
    }),
  );
  return (
    <Entry entry={entry} to={data && addressOf(data.record.type, data.record.id, { tab: 'comments' })} />
  );
}
