import { useState } from 'preact/hooks';
import { useRefusal } from '../data/refusal.js';
import { reasonOf } from '../data/notices.js';
import { useCalls } from '../data/organization.js';
import type { CrmRecord } from '../data/records.js';
import { changedQuery, go, href } from '../data/route.js';
import { endedBy } from '../data/session.js';
import { reloadAll } from '../data/store.js';
import { useWritten } from '../data/unsaved.js';
import { Dialog } from '../parts/dialog.js';
import { NotSaved } from '../parts/not-saved.js';
import { words } from '../words/words.js';
import type { Kind } from './kind.js';

/** Makes a record of what is known of it first; the rest is filled in on its page. */
export function NewRecord<R extends CrmRecord>({ kind, close }: { kind: Kind<R>; close: () => void }) {
  const calls = useCalls();
  const { value: values, write, end, isFound } = useWritten<Record<string, string>>(`new ${kind.type}`, {});
  const [refusal, setRefusal] = useRefusal();
  const [isBusy, setBusy] = useState(false);
  const fields = kind.fields.filter(({ name }) => kind.begins.includes(name));
  const make = async () => {
    setBusy(true);
    const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
    try {
      const record = await calls.POST<R>(`/${kind.place}`, { body: Object.fromEntries(given) });
      void reloadAll('records ');
      end();
      close();
      go(href([kind.place, kind.idOf(record)], changedQuery({ q: null })));
    } catch (error) {
      if (!endedBy(error)) setRefusal(reasonOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog label={kind.text.add} close={close}>
      <form
        class="card-form"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <h2>{kind.text.add}</h2>
        {isFound && <NotSaved />}
        {fields.map(({ name, label }) => (
          <label key={name}>
            <span class="label">{label}</span>
            <input
              class="field"
              dir="auto"
              value={values[name] ?? ''}
              onInput={(event) => write({ ...values, [name]: event.currentTarget.value })}
            />
          </label>
        ))}
        {refusal !== null && (
          <p class="refusal" role="alert">
            {refusal}
          </p>
        )}
        <div class="card-acts">
          <button class="button main" disabled={isBusy}>
            {kind.text.add}
          </button>
          <button
            type="button"
            class="button"
            onClick={() => {
              end();
              close();
            }}
          >
            {words.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
