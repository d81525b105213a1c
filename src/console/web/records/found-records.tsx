import type { CrmRecord, Found } from '../data/records.js';
import { changedQuery, href } from '../data/route.js';
import { reloadAll } from '../data/store.js';
import { Highlighted } from '../parts/highlighted.js';
import { Empty, Failed, Skeleton, Time } from '../parts/states.js';
import { VirtualList } from '../parts/virtual-list.js';
import { words } from '../words/words.js';
import type { Kind } from './kind.js';
import { useFoundRecords } from './use-records.js';

const ROW = 64;

/** The records in which the words are found, with what was found. */
export function FoundRecords<R extends CrmRecord>({ kind, q }: { kind: Kind<R>; q: string }) {
  const { data, error, more } = useFoundRecords(kind, q);
  if (!data && error) return <Failed error={error} again={() => void reloadAll('found ')} />;
  if (!data) return <Skeleton rows={8} height={ROW} />;
  if (data.rows.length === 0) return <Empty title={words.inbox.nothingFound(q)} />;
  return (
    <VirtualList
      key={q}
      label={words.places[kind.place]}
      rows={data.rows}
      height={ROW}
      keyOf={({ id }) => id}
      chosen={null}
      hasMore={data.next !== null}
      more={more}
      draw={(row) => <FoundRow row={row} place={kind.place} />}
    />
  );
}

function FoundRow({ row: { id, title, highlights, occurred_at }, place }: { row: Found; place: string }) {
  const plain = (text: string) => text.replaceAll(/[\uE000\uE001]/g, '');
  const inTitle = highlights.find(({ text }) => plain(text) === title);
  const beside = highlights.filter((one) => one !== inTitle);
  return (
    <a class="found-row" href={href([place, id], changedQuery({}))}>
      <span class="row-line">
        <span class="row-name cut" dir="auto">
          {inTitle ? <Highlighted text={inTitle.text} /> : title || words.inbox.unnamed}
        </span>
        <Time at={occurred_at} class="quiet small" />
      </span>
      <span class="row-line cut quiet small" dir="auto">
        {beside.map(({ field, text }) => (
          <span key={field} class="found-hit">
            <Highlighted text={text} />
          </span>
        ))}
      </span>
    </a>
  );
}
