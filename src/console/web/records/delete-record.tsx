import { useState } from 'preact/hooks';
import { ParleyError } from '../data/api.js';
import { notify, reasonOf } from '../data/notices.js';
import { useCalls } from '../data/organization.js';
import type { CrmRecord } from '../data/records.js';
import { changedQuery, go, href } from '../data/route.js';
import { endedBy } from '../data/session.js';
import { reloadAll } from '../data/store.js';
import { Dialog } from '../parts/dialog.js';
import { words } from '../words/words.js';
import type { Kind } from './kind.js';

const { records: text } = words;

interface Props<R extends CrmRecord> {
  kind: Kind<R>;
  record: R;
  back: string;
  close: () => void;
}

/** Asks once, since it cannot be taken back; says what to do where it is refused. */
export function DeleteRecord<R extends CrmRecord>({ kind, record, back, close }: Props<R>) {
  const calls = useCalls();
  const [refusal, setRefusal] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const id = kind.idOf(record);
  const remove = async () => {
    setBusy(true);
    try {
      await calls.DELETE(`/${kind.place}/{id}`, { params: { path: { id } } });
      close();
      go(back);
      notify(kind.text.deleted);
      void reloadAll('records ');
    } catch (error) {
      if (!endedBy(error)) setRefusal(error);
      setBusy(false);
    }
  };
  return (
    <Dialog label={kind.text.deleteTitle(kind.titleOf(record))} close={close}>
      <div class="card-form">
        <h2>{kind.text.deleteTitle(kind.titleOf(record))}</h2>
        <p>{text.deleteHint}</p>
        {refusal !== null && (
          <div class="refusal" role="alert">
            <p>{reasonOf(refusal)}</p>
            <Instead error={refusal} path={[kind.place, id]} close={close} />
          </div>
        )}
        <div class="card-acts">
          <button class="button danger" disabled={isBusy} onClick={() => void remove()}>
            {text.delete}
          </button>
          <button class="button" autofocus onClick={close}>
            {words.cancel}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** What one may do in its place. */
function Instead({
  error,
  path,
  close,
}: {
  error: unknown;
  path: [place: string, id: string];
  close: () => void;
}) {
  const code = error instanceof ParleyError ? error.code : '';
  const cause = {
    contact_has_conversations: {
      label: text.showConversations,
      to: href(['inbox'], { org: changedQuery({}).get('org'), contact_id: path[1], status: 'all' }),
    },
    sale_needs_a_party: { label: text.showSales, to: href(path, changedQuery({ tab: 'sales' })) },
  }[code];
  if (!cause) return null;
  return (
    <p class="card-acts">
      <a href={cause.to} onClick={close}>
        {cause.label}
      </a>
      <a href={href([...path, 'merge'], changedQuery({ tab: null }))}>{text.mergeInstead}</a>
    </p>
  );
}
