import { useState } from 'preact/hooks';
import { notify } from '../data/notices.js';
import type { Agent } from '../data/records.js';
import { api } from '../data/session.js';
import { reload } from '../data/store.js';
import { Failed, Skeleton } from '../parts/states.js';
import { words } from '../words/words.js';
import { Field, type Filled, Form } from './form.js';
import { AGENTS, agentsKey, useAgentsOf } from './use-agents.js';

const { agents: text } = words.operations;

/** Who works for an organization. */
export function Agents({ organization }: { organization: string }) {
  const key = agentsKey(organization);
  const path = { organization_id: organization };
  const { data, error } = useAgentsOf(organization);
  /** Whose form is open; `new` is that of another one. */
  const [open, setOpen] = useState<string | null>(null);
  const save = async (filled: Filled, agent_id?: string) => {
    const { name, email = null } = filled;
    const body = { name, email };
    await (agent_id === undefined
      ? api().POST(AGENTS, { params: { path }, body })
      : api().PATCH(`${AGENTS}/{agent_id}`, { params: { path: { ...path, agent_id } }, body }));
    notify(agent_id === undefined ? text.added : words.operations.changed);
    setOpen(null);
    await reload(key);
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
      {open === 'new' && <AgentForm act={text.add} run={(filled) => save(filled)} cancel={close} />}
      {!data && error && <Failed error={error} again={() => void reload(key)} />}
      {!data && !error && <Skeleton rows={3} height={48} />}
      {data?.data.length === 0 && open !== 'new' && <p class="quiet">{text.none}</p>}
      {data && data.data.length > 0 && (
        <ul class="ops-rows">
          {data.data.map((agent) => (
            <li key={agent.agent_id} class="ops-row">
              {open === agent.agent_id ? (
                <AgentForm
                  of={agent}
                  act={words.operations.save}
                  run={(filled) => save(filled, agent.agent_id)}
                  cancel={close}
                />
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

interface FormProps {
  of?: Agent;
  act: string;
  run: (filled: Filled) => Promise<void>;
  cancel: () => void;
}

const AgentForm = ({ of, act, run, cancel }: FormProps) => (
  <Form act={act} run={run} cancel={cancel}>
    <div class="ops-pair">
      <Field name="name" label={text.name} required isFirst defaultValue={of?.name} />
      <Field name="email" label={text.email} type="email" dir="ltr" defaultValue={of?.email ?? ''} />
    </div>
  </Form>
);
