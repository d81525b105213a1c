import { useCalls } from '../data/organization.js';
import type { CrmRecord } from '../data/records.js';
import { changedQuery, go, href, useRoute } from '../data/route.js';
import { may } from '../data/session.js';
import { reload } from '../data/store.js';
import { Combobox } from '../parts/combobox.js';
import { Icon } from '../parts/icon.js';
import { useKeys } from '../parts/keys.js';
import { Empty, Failed, Skeleton } from '../parts/states.js';
import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';
import { finderOf } from './find-records.js';
import type { Kind } from './kind.js';
import { MergePreview } from './merge-preview.js';
import { keyOfRecord, useRecord } from './use-records.js';

const { records: text } = words;

interface Props<R extends CrmRecord> {
  kind: Kind<R>;
  id: string;
}

/** Makes two records one: first which, then what becomes of each. `from` in the address is the one that ends. */
export function MergeRecords<R extends CrmRecord>({ kind, id }: Props<R>) {
  const { query } = useRoute();
  const from = query.get('from');
  const back = href([kind.place, id], changedQuery({ from: null }));
  useTitle(kind.text.mergeTitle);
  useKeys([{ key: 'Escape', label: text.key.back, act: () => go(back) }]);
  return (
    <main class="page merge">
      <header class="record-head">
        <a class="button bare" href={back} aria-label={text.backToRecord} title={text.backToRecord}>
          <Icon name="back" />
        </a>
        <h1 class="cut">{kind.text.mergeTitle}</h1>
      </header>
      {!may('write') ? (
        <Empty title={words.composer.mayNotWrite} />
      ) : from === null ? (
        <Choose kind={kind} id={id} />
      ) : (
        <Both key={`${id} ${from}`} kind={kind} id={id} from={from} />
      )}
    </main>
  );
}

function Choose<R extends CrmRecord>({ kind, id }: Props<R>) {
  const calls = useCalls();
  const { data, error } = useRecord(kind, id);
  const find = finderOf(calls, kind);
  if (!data)
    return error ? (
      <Failed error={error} again={() => void reload(keyOfRecord(id))} />
    ) : (
      <Skeleton rows={4} height={44} />
    );
  return (
    <div class="merge-body">
      <p>{text.mergeWith(kind.titleOf(data.record))}</p>
      <Combobox
        label={kind.text.search}
        hint={text.searchHint}
        find={async (q, signal) => (await find(q, signal)).filter((one) => one.id !== id)}
        choose={(one) => go(href([kind.place, id, 'merge'], changedQuery({ from: one.id })))}
      />
    </div>
  );
}

function Both<R extends CrmRecord>({ kind, id, from }: Props<R> & { from: string }) {
  const [stays, ends] = [useRecord(kind, id), useRecord(kind, from)];
  const error = stays.error ?? ends.error;
  const isGone = error?.status === 404;
  if (stays.data && ends.data && !isGone)
    return <MergePreview kind={kind} stays={stays.data} ends={ends.data} />;
  if (!error) return <Skeleton rows={6} height={44} />;
  if (error.code === 'merged') return <Empty title={kind.text.merged}>{error.detail}</Empty>;
  return <Failed error={error} again={() => [id, from].forEach((one) => void reload(keyOfRecord(one)))} />;
}
