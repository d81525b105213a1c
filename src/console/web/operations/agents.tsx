import { useState } from 'preact/hooks';
import { notify } from '../data/notices.js';
import type { Agent } from '../data/records.js';
import { api } from '../data/session.js';
import { reload } from '../data/store.js';
import { Failed, Skeleton } from '../parts/states.js';
import { words } from '../words/words.js';
import { Field, type Filled, Form } from './form.js';
import { type KeptForm, useKeptForm } from './kept-form.js';
import { AGENTS, agentsKey, useAgentsOf } from './use-agents.js';
import { useEdit } from './use-edit.js';

const { agents: text } = words.operations;

/** Who works for an organization. */
export function Agents({ organization }: { organization: string }) {
  const key = agentsKey(organization);
  const path = { organization_id: organization };
  const { data, error } = useAgentsOf(organization);
  /** Whose form is open; `new` is that of another one. */
  const [open, setOpen] = useState<string | null>(null);
  const done = async () => {
    setOpen(null);
    await reload(key);
  };
  const add = async (filled: Filled) => {
    await api().POST(AGENTS, { params: { path }, body: bodyOf(filled) });
    notify(text.added);
    await done();
  };
  const close = () => setOpen(null);
  return (
    <section class="ops-log" aria-label={text.list}>
      <div class="ops-log-head">
        <h3>{text.list}</h3>
        {open !== 'new' && (
          <button class="button" onClick={() => setOpen('new')}>
            {text.add}
          </button>
        )}
      </div>
      {open === 'new' && <NewForm run={add} cancel={close} />}
      {!data && error && <Failed error={error} again={() => void reload(key)} />}
      {!data && !error && <Skeleton rows={3} height={48} />}
      {data?.data.length === 0 && open !== 'new' && <p class="quiet">{text.none}</p>}
      {data && data.data.length > 0 && (
        <ul class="ops-rows">
          {data.data.map((agent) => (
            <li key={agent.agent_id} class="ops-row">
              {open === agent.agent_id ? (
                <ChangeForm of={agent} organization={organization} done={done} cancel={close} />
              ) : (
                <>
                  <span class="ops-what" dir="auto">
                    <strong>{agent.name}</strong>
                    <span class="quiet small">{agent.email ?? text.noEmail}</span>
                  </span>
                  <button
                    class="button"
                    aria-label={text.changeOf(agent.name)}
                    onClick={() => setOpen(agent.agent_id)}
                  >
                    {text.change}
                  </button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const NewForm = (given: Pick<FormProps, 'run' | 'cancel'>) => (
  <AgentForm {...given} act={text.add} kept={useKeptForm('new agent')} />
);

const bodyOf = ({ name, email = null }: Filled & { email?: string | null }) => ({ name, email });

interface ChangeProps {
  of: Agent;
  organization: string;
  done: () => Promise<void>;
  cancel: () => void;
}

function ChangeForm({ of, organization, done, cancel }: ChangeProps) {
  const kept = useKeptForm(`agent ${of.agent_id}`, of);
  const listed = kept.base;
  const params = { path: { organization_id: organization, agent_id: listed.agent_id } };
  const write = (body: object, headers: Record<string, string> = {}) =>
    api().PATCH<Agent>(`${AGENTS}/{agent_id}`, { params, body, headers });
  const { save, met } = useEdit<Agent>({
    kept,
    labels: { name: text.name, email: text.email },
    // Operators have no route that reads one; a change of nothing shows it with its version.
    read: () => write({}),
    write,
    done,
  });
  return (
    met ?? (
      <AgentForm
        of={listed}
        kept={kept}
        act={words.operations.save}
        run={(filled) => save(bodyOf(filled))}
        cancel={cancel}
      />
    )
  );
}

interface FormProps {
  of?: Agent;
  kept: KeptForm<unknown>;
  act: string;
  run: (filled: Filled) => Promise<unknown>;
  cancel: () => void;
}

const AgentForm = ({ of, kept, act, run, cancel }: FormProps) => (
  <Form kept={kept} act={act} run={run} cancel={cancel}>
    <div class="ops-pair">
      <Field name="name" label={text.name} required isFirst defaultValue={of?.name} />
      <Field name="email" label={text.email} type="email" dir="ltr" defaultValue={of?.email ?? ''} />
    </div>
  </Form>
);
