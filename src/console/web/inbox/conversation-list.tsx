import { useEffect } from 'preact/hooks';
import type { Conversation, Found } from '../data/records.js';
import { changedQuery, href, useRoute } from '../data/route.js';
import { reloadAll } from '../data/store.js';
import { since } from '../format.js';
import { Highlighted } from '../parts/highlighted.js';
import { Icon, modalityIcon } from '../parts/icon.js';
import { Search } from '../parts/search.js';
import { Empty, Failed, Skeleton, Time } from '../parts/states.js';
import { TagMark } from '../parts/tag.js';
import { VirtualList } from '../parts/virtual-list.js';
import { words } from '../words/words.js';
import { Filters } from './filters.js';
import { nameOf } from './name.js';
import { FILTERS, filtersOf, useConversations } from './use-conversations.js';
import { useFound } from './use-found.js';

const { inbox: text } = words;
const ROW = 80;

interface Props {
  chosen: string | null;
  tellRows: (ids: string[]) => void;
}

export function ConversationList({ chosen, tellRows }: Props) {
  const { query } = useRoute();
  const q = query.get('q');
  return (
    <section class="list" aria-label={text.list}>
      <div class="list-head">
        <Search id="inbox-search" label={text.search} hint={text.searchHint} />
        {q === null && <Filters />}
      </div>
      {q === null ? (
        <Filtered chosen={chosen} tellRows={tellRows} query={query} />
      ) : (
        <Searched chosen={chosen} tellRows={tellRows} q={q} />
      )}
    </section>
  );
}

function Filtered({ chosen, tellRows, query }: Props & { query: URLSearchParams }) {
  const { data, error, more } = useConversations(filtersOf(query));
  useEffect(() => tellRows(data?.rows.map(({ conversation_id }) => conversation_id) ?? []), [data]);
  if (!data && error) return <Failed error={error} again={() => void reloadAll('list ')} />;
  if (!data) return <Skeleton rows={8} height={ROW} />;
  const isFiltered = FILTERS.some((name) => name !== 'sort' && query.has(name));
  if (data.rows.length === 0)
    return isFiltered ? (
      <Empty title={text.nothingMatches}>
        <a href={href(['inbox'], { org: query.get('org') })}>{text.clear}</a>
      </Empty>
    ) : (
      <Empty title={text.nobodyWaits}>
        <p>{text.nobodyWaitsHint}</p>
      </Empty>
    );
  return (
    <VirtualList
      label={text.list}
      rows={data.rows}
      height={ROW}
      keyOf={({ conversation_id }) => conversation_id}
      chosen={chosen}
      hasMore={data.next !== null}
      more={more}
      draw={(row) => <Row row={row} isChosen={row.conversation_id === chosen} />}
    />
  );
}

function Row({ row, isChosen }: { row: Conversation; isChosen: boolean }) {
  const modality = row.last_message.modality;
  return (
    <a
      class={`row ${row.is_read ? '' : 'unread'}`}
      href={href(['inbox', row.conversation_id], changedQuery({ panel: null }))}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span class="row-line">
        {!row.is_read && (
          <span class="unread-dot">
            <span class="only-read">{text.unreadMark}</span>
          </span>
        )}
        <span class="row-name cut">{nameOf(row)}</span>
        <Time at={row.last_activity_at} class="quiet small" />
      </span>
      <span class="row-line cut">{row.subject ?? row.preview}</span>
      <span class="row-line small quiet">
        <Icon name={modalityIcon(modality)} size={14} />
        <span class="only-read">{words.modality[modality] ?? modality}</span>
        <span class="row-said cut" dir="auto">
          {row.subject === null ? (words.modality[modality] ?? modality) : row.preview}
        </span>
        {row.has_draft && <span class="badge">{text.draftMark}</span>}
        {row.status !== 'open' && <span class="badge">{text.status[row.status]}</span>}
        <span class="row-tags">
          {row.tags.slice(0, 2).map((tag) => (
            <TagMark key={tag.tag_id} tag={tag} />
          ))}
        </span>
        {row.waiting_since !== null && (
          <span class="row-wait waiting">
            <Icon name="clock" size={12} />
            <span class="only-read">{text.waits(since(row.waiting_since))}</span>
            <span aria-hidden="true">{since(row.waiting_since)}</span>
          </span>
        )}
      </span>
    </a>
  );
}

function Searched({ chosen, tellRows, q }: Props & { q: string }) {
  const { rows, data, error, again, more } = useFound(q);
  useEffect(() => tellRows(rows?.map(({ conversation_id }) => conversation_id!) ?? []), [data]);
  if (!rows?.length && error) return <Failed error={error} again={again} />;
  if (!rows || (rows.length === 0 && data!.next !== null)) return <Skeleton rows={8} height={ROW} />;
  if (rows.length === 0) return <Empty title={text.nothingFound(q)} />;
  return (
    <VirtualList
      label={text.list}
      rows={rows}
      height={ROW}
      keyOf={({ conversation_id }) => conversation_id!}
      chosen={chosen}
      hasMore={data!.next !== null}
      more={more}
      draw={(row) => <FoundRow row={row} isChosen={row.conversation_id === chosen} />}
    />
  );
}

function FoundRow({ row, isChosen }: { row: Found; isChosen: boolean }) {
  const [first, second] = row.highlights.filter(({ text: hit }) => hit.includes('\uE000'));
  const inTitle = first?.field === 'subject' || first?.text.replaceAll(/[\uE000\uE001]/g, '') === row.title;
  const body = inTitle ? second : first;
  return (
    <a
      class="row"
      href={href(['inbox', row.conversation_id!], changedQuery({ panel: null }))}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span class="row-line">
        <span class="row-name cut">
          {inTitle && first ? <Highlighted text={first.text} /> : row.title || text.noSubject}
        </span>
        <Time at={row.occurred_at} class="quiet small" />
      </span>
      <span class="row-line two-lines quiet small">
        {body ? <Highlighted text={body.text} /> : (words.kind[row.type] ?? row.type)}
      </span>
    </a>
  );
}
