import { useState } from 'preact/hooks';
import { companyKind } from '../companies/kind.js';
import { reasonOf } from '../data/notices.js';
import { useCalls } from '../data/organization.js';
import type { Sale, Stage } from '../data/records.js';
import { changedQuery, go, href } from '../data/route.js';
import { endedBy, session } from '../data/session.js';
import { useRefusal } from '../data/refusal.js';
import { reloadAll } from '../data/store.js';
import { useWritten } from '../data/unsaved.js';
import { useAgents } from '../inbox/use-conversations.js';
import { Combobox, type Option } from '../parts/combobox.js';
import { Dialog } from '../parts/dialog.js';
import { NotSaved } from '../parts/not-saved.js';
import { finderOf } from '../records/find-records.js';
import { words } from '../words/words.js';

const { pipeline: text } = words;

interface Written {
  company: Option | null;
  name: string;
  stage: string;
  owner: string;
}

/** Opens a sale for a company; the rest is filled in beside the board. */
export function NewSale({ stages, close }: { stages: Stage[]; close: () => void }) {
  const calls = useCalls();
  const agents = useAgents();
  const { value, write, end, isFound } = useWritten<Written>('new sale', {
    company: null,
    name: '',
    stage: stages[0]!.status_id,
    owner: session()?.agent?.agent_id ?? '',
  });
  const { company, name, stage, owner } = value;
  const change = (part: Partial<Written>) => write({ ...value, ...part });
  const [refusal, setRefusal] = useRefusal();
  const [isBusy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    const body = {
      company_id: company!.id,
      status_id: stage,
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(owner !== '' && { owner_id: owner }),
    };
    try {
      const { sale_id } = await calls.POST<Sale>('/sales', { body });
      void reloadAll('sales ');
      end();
      close();
      go(href(['pipeline', sale_id], changedQuery({ tab: null })));
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
          if (company) void make();
        }}
      >
        <h2>{text.add}</h2>
        {isFound && <NotSaved />}
        <div>
          <span class="label">{words.contact.company}</span>
          {company ? (
            <div class="value">
              <span dir="auto">{company.title}</span>
              <button type="button" class="button slim" onClick={() => change({ company: null })}>
                {text.anotherCompany}
              </button>
            </div>
          ) : (
            <Combobox
              label={words.records.findCompany}
              find={finderOf(calls, companyKind)}
              choose={(option) => change({ company: option })}
              leave={close}
            />
          )}
        </div>
        <label>
          <span class="label">{words.records.name}</span>
          <input
            class="field"
            dir="auto"
            value={name}
            onInput={(event) => change({ name: event.currentTarget.value })}
          />
        </label>
        <label>
          <span class="label">{text.stage}</span>
          <select
            class="field"
            value={stage}
            onChange={(event) => change({ stage: event.currentTarget.value })}
          >
            {stages.map(({ status_id, label }) => (
              <option key={status_id} value={status_id}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span class="label">{words.inbox.field.owner}</span>
          <select
            class="field"
            value={owner}
            onChange={(event) => change({ owner: event.currentTarget.value })}
          >
            <option value="">{words.inbox.nobody}</option>
            {agents.map(({ agent_id, name: agent }) => (
              <option key={agent_id} value={agent_id}>
                {agent}
              </option>
            ))}
          </select>
        </label>
        {refusal !== null && (
          <p class="refusal" role="alert">
            {refusal}
          </p>
        )}
        <div class="card-acts">
          <button class="button main" disabled={isBusy || company === null}>
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
