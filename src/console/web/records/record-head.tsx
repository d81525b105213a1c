import { useState } from 'preact/hooks';
import type { Seen } from '../data/edit.js';
import type { CrmRecord } from '../data/records.js';
import { changedQuery, go, href } from '../data/route.js';
import { may } from '../data/session.js';
import { HistoryLink } from '../parts/history-link.js';
import { Icon } from '../parts/icon.js';
import { useKeys } from '../parts/keys.js';
import { words } from '../words/words.js';
import { DeleteRecord } from './delete-record.js';
import type { Kind } from './kind.js';

const { records: text } = words;

/** What the record is called, and what one does to it as a whole. */
export function RecordHead<R extends CrmRecord>({
  kind,
  seen: { record },
  back,
}: {
  kind: Kind<R>;
  seen: Seen<R>;
  back: string;
}) {
  const [isDeleting, setDeleting] = useState(false);
  const id = kind.idOf(record);
  const merge = href([kind.place, id, 'merge'], changedQuery({ tab: null }));
  useKeys(may('write') ? [{ key: 'm', label: text.key.merge, act: () => go(merge) }] : []);
  return (
    <header class="record-head">
      <a class="button bare" href={back} aria-label={text.back} title={text.back}>
        <Icon name="back" />
      </a>
      <h1 class="cut" dir="auto">
        {kind.titleOf(record)}
      </h1>
      <div class="record-acts">
        <HistoryLink of={id} />
        {may('write') && (
          <>
            <a class="button" href={merge}>
              {text.merge}
            </a>
            <button class="button" onClick={() => setDeleting(true)}>
              {text.delete}
            </button>
          </>
        )}
      </div>
      {isDeleting && (
        <DeleteRecord kind={kind} record={record} back={back} close={() => setDeleting(false)} />
      )}
    </header>
  );
}
