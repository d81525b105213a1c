import type { Sale, Stage } from '../data/records.js';
import { changedQuery, href, useRoute } from '../data/route.js';
import { may } from '../data/session.js';
import { patchAll, reload } from '../data/store.js';
import type { Rows } from '../data/rows.js';
import { Comments } from '../comments/comments.js';
import { HistoryLink } from '../parts/history-link.js';
import { Icon } from '../parts/icon.js';
import { Failed, Skeleton } from '../parts/states.js';
import { useTitle } from '../parts/title.js';
import { Tasks } from '../records/linked-lists.js';
import { keyOfRecord, type Save, useRecord } from '../records/use-records.js';
import { words } from '../words/words.js';
import type { MoveSale } from './board.js';
import { SaleDetails } from './sale-details.js';
import { SALES } from './sales.js';
import { StageSelect } from './stage-select.js';
import { nameOfSale } from './use-move.js';

const { pipeline: text } = words;

interface Props {
  id: string;
  stages: Stage[];
  back: string;
  move?: MoveSale;
}

/** One sale beside the board: what it is, its tasks, and what colleagues noted. */
export function SalePanel({ id, stages, back, move }: Props) {
  const { query } = useRoute();
  const { data, error, save } = useRecord<Sale>(SALES, id);
  useTitle(data ? nameOfSale(data.record) : words.places.pipeline);
  if (!data || error?.status === 404)
    return (
      <aside class="sale-side" aria-label={text.sale}>
        <Head back={back} />
        {error ? (
          <Failed error={error} again={() => void reload(keyOfRecord(id))} />
        ) : (
          <Skeleton rows={6} height={64} />
        )}
      </aside>
    );
  const { record, etag } = data;
  const saveShown: Save<Sale> = async (base, body) => {
    const outcome = await save(base, body);
    if ('done' in outcome) showRow(outcome.done.record);
    return outcome;
  };
  const tab = ['tasks', 'comments'].find((name) => name === query.get('tab')) ?? null;
  return (
    <aside class="sale-side" aria-label={text.sale}>
      <Head back={back} title={nameOfSale(record)}>
        <HistoryLink of={id} />
      </Head>
      {move && (
        <label class="sale-stage">
          <span class="label">{text.stage}</span>
          <StageSelect sale={record} stages={stages} move={(to) => move(record, to, etag)} />
        </label>
      )}
      <nav class="tabs record-tabs" aria-label={words.records.around}>
        {[
          { name: null, label: words.records.details },
          { name: 'tasks', label: words.records.tasks },
          { name: 'comments', label: words.records.comments },
        ].map(({ name, label }) => (
          <a
            key={name}
            class="tab"
            href={href(['pipeline', id], changedQuery({ tab: name }))}
            aria-current={tab === name ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      {tab === 'tasks' && <Tasks of={{ sale_id: id }} />}
      {tab === 'comments' && <Comments of={{ place: 'sales', id }} />}
      {tab === null && <SaleDetails seen={data} {...(may('write') && { save: saveShown })} />}
    </aside>
  );
}

/** What the board's cards show of it. */
function showRow({ company: _, owner: __, ...now }: Sale): void {
  patchAll<Rows<Sale>>('sales ', ({ rows, next }) => ({
    rows: rows.map((row) => (row.sale_id === now.sale_id ? { ...row, ...now } : row)),
    next,
  }));
}

const Head = ({
  back,
  title,
  children,
}: {
  back: string;
  title?: string;
  children?: preact.ComponentChildren;
}) => (
  <header class="sale-head">
    <h2 class="cut" dir="auto">
      {title}
    </h2>
    {children}
    <a class="button bare" href={back} aria-label={text.close} title={text.close}>
      <Icon name="close" />
    </a>
  </header>
);
