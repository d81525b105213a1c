import { useState } from 'preact/hooks';
import { ParleyError } from '../data/api.js';
import type { Seen } from '../data/edit.js';
import { notify, reasonOf } from '../data/notices.js';
import { useCalls } from '../data/organization.js';
import type { CrmRecord } from '../data/records.js';
import { changedQuery, go, href } from '../data/route.js';
import { endedBy } from '../data/session.js';
import { reload, reloadAll } from '../data/store.js';
import { words } from '../words/words.js';
import type { Kind } from './kind.js';
import { MergedTable } from './merged-table.js';
import { MovingLinks } from './moving-links.js';
import { keyOfRecord } from './use-records.js';

const { records: text } = words;

interface Props<R extends CrmRecord> {
  kind: Kind<R>;
  stays: Seen<R>;
  ends: Seen<R>;
}

/** What two records become, side by side, before it is done. */
export function MergePreview<R extends CrmRecord>({ kind, stays, ends }: Props<R>) {
  const calls = useCalls();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [id, from] = [kind.idOf(stays.record), kind.idOf(ends.record)];
  const merge = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      await calls.POST(`/${kind.place}/{id}/merge`, {
        params: { path: { id } },
        body: { [`from_${kind.type}_id`]: from },
        // What stays is what is shown here.
        ...(stays.etag !== undefined && { headers: { 'If-Match': stays.etag } }),
      });
      notify(text.mergedNow);
      void reloadAll('records ');
      go(href([kind.place, id], changedQuery({ from: null })), { replace: true });
    } catch (error) {
      setBusy(false);
      if (endedBy(error)) return;
      const hasChanged = error instanceof ParleyError && error.status === 412;
      setRefusal(hasChanged ? text.changedMeanwhile : reasonOf(error));
      for (const one of [id, from]) void reload(keyOfRecord(one));
    }
  };
  const swapped = href([kind.place, from, 'merge'], changedQuery({ from: id }));
  const another = href([kind.place, id, 'merge'], changedQuery({ from: null }));
  return (
    <div class="merge-body">
      <MergedTable kind={kind} stays={stays.record} ends={ends.record} />
      <MovingLinks kind={kind} stays={stays.record} ends={ends.record} />
      {refusal !== null && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      <div class="card-acts">
        <button class="button main" disabled={isBusy} onClick={() => void merge()}>
          {text.mergeNow}
        </button>
        <a class="button" href={swapped}>
          {text.swap}
        </a>
        <a class="button" href={another}>
          {text.anotherOne}
        </a>
      </div>
      <p class="quiet small">{text.mergeHint}</p>
    </div>
  );
}
