import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { reasonOf } from '../data/notices.js';
import { type Calls, useCalls } from '../data/organization.js';
import type { Found, Page, Task } from '../data/records.js';
import { endedBy, session } from '../data/session.js';
import { useRefusal } from '../data/refusal.js';
import { reloadAll } from '../data/store.js';
import { typed } from '../data/typed.js';
import { useWritten } from '../data/unsaved.js';
import { instantHere } from '../format.js';
import { useAgents } from '../inbox/use-conversations.js';
import { Combobox, type Option } from '../parts/combobox.js';
import { Dialog } from '../parts/dialog.js';
import { NotSaved } from '../parts/not-saved.js';
import { words } from '../words/words.js';
import { showTask } from './use-change.js';

const { tasks: text } = words;
const FOUND = 20;

interface Written {
  title: string;
  due: string;
  owner: string;
  about: Option | null;
}

/** Makes a task: a title, and what else is known of it. */
export function NewTask({ close }: { close: () => void }) {
  const calls = useCalls();
  const agents = useAgents();
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const { value, write, end, isFound } = useWritten<Written>('new task', {
    title: '',
    due: '',
    owner: session()?.agent?.agent_id ?? '',
    about: null,
  });
  const { title, due, owner, about } = value;
  const change = (part: Partial<Written>) => write({ ...value, ...part });
  const [isFinding, setFinding] = useState(false);
  const [refusal, setRefusal] = useRefusal();
  const [isBusy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    const body = {
      title: title.trim(),
      ...(due !== '' && { due_at: instantHere(due) }),
      ...(owner !== '' && { agent_id: owner }),
      ...(about && { [fieldOf(about)]: about.id }),
    };
    try {
      showTask(await calls.POST<Task>('/tasks', { body }));
      void reloadAll('tasks ');
      end();
      close();
    } catch (error) {
      if (!endedBy(error)) setRefusal(reasonOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog label={text.add} close={close}>
      <form
        class="card-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim() !== '') void make();
        }}
      >
        <h2>{text.add}</h2>
        {isFound && <NotSaved />}
        <label>
          <span class="label">{text.title}</span>
          <input
            ref={first}
            class="field"
            dir="auto"
            value={title}
            onInput={(event) => change({ title: event.currentTarget.value })}
          />
        </label>
        <label>
          <span class="label">{text.due}</span>
          <input
            class="field"
            type="datetime-local"
            value={due}
            onInput={(event) => change({ due: event.currentTarget.value })}
          />
        </label>
        <label>
          <span class="label">{words.inbox.field.owner}</span>
          <select
            class="field"
            value={owner}
            onChange={(event) => change({ owner: event.currentTarget.value })}
          >
            <option value="">{words.inbox.nobody}</option>
            {agents.map(({ agent_id, name }) => (
              <option key={agent_id} value={agent_id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <div>
          <span class="label">{text.about}</span>
          {about && !isFinding && <p dir="auto">{about.title}</p>}
          {isFinding ? (
            <Combobox
              label={text.findRecord}
              find={finderOf(calls)}
              choose={(option) => {
                change({ about: option });
                setFinding(false);
              }}
              leave={() => setFinding(false)}
            />
          ) : (
            <button type="button" class="button slim" onClick={() => setFinding(true)}>
              {about ? text.anotherRecord : text.findRecord}
            </button>
          )}
        </div>
        {refusal !== null && (
          <p class="refusal" role="alert">
            {refusal}
          </p>
        )}
        <div class="card-acts">
          <button class="button main" disabled={isBusy || title.trim() === ''}>
            {text.add}
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

const fieldOf = ({ id }: Option): string => `${id.split('_')[0]!}_id`;

const finderOf =
  (calls: Calls) =>
  async (q: string, signal: AbortSignal): Promise<Option[]> => {
    if (q === '') return [];
    const query = { q: typed(q), types: 'contact,company,sale', limit: FOUND };
    const { data } = await calls.GET<Page<Found>>('/search', { params: { query }, signal });
    return data.map(({ id, type, title }) => ({
      id,
      title: title || words.records.unnamedSale,
      hint: words.kind[type] ?? type,
    }));
  };
