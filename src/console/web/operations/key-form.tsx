import { go } from '../data/route.js';
import { api } from '../data/session.js';
import { reload } from '../data/store.js';
import { useWritten } from '../data/unsaved.js';
import { words } from '../words/words.js';
import { to, usePlace } from './address.js';
import { Choice, Field, type Filled, Form, Tick } from './form.js';
import { useKeptForm } from './kept-form.js';
import { KEYS } from './key-detail.js';
import type { ApiKey } from './records.js';
import type { Secret } from './secret.js';
import { useAgentsOf } from './use-agents.js';
import { useNamed } from './use-organizations.js';

const { keys: text } = words.operations;

export function KeyForm({ tellSecret }: { tellSecret: (secret: Secret) => void }) {
  const { query } = usePlace();
  const organizations = useNamed() ?? [];
  const org = query.get('org');
  const kept = useKeptForm('new key');
  const {
    value: chosen,
    write: setChosen,
    end,
  } = useWritten<string[]>('form new key organizations', org === null ? [] : [org]);
  const leave = () => {
    end();
    go(to('keys'));
  };
  const only = chosen.length === 1 ? chosen[0]! : null;
  const toggle = (id: string, is: boolean) =>
    setChosen(is ? [...chosen, id] : chosen.filter((one) => one !== id));
  const issue = async (filled: Filled) => {
    const made = await api().POST<ApiKey & { api_key: string }>('/admin/v1/api-keys', {
      body: bodyOf(filled, chosen),
    });
    tellSecret({ title: text.newSecret(made.name), value: made.api_key });
    end();
    await reload(KEYS);
    go(to('keys', made.key_id));
  };
  return (
    <>
      <h2>{text.make}</h2>
      <Form kept={kept} act={text.make} run={issue} cancel={leave}>
        <Field name="name" label={text.name} hint={text.nameHint} required isFirst />
        <fieldset class="ticks">
          <legend class="label">{text.organizations}</legend>
          {organizations.map(({ organization_id, name }) => (
            <label key={organization_id} class="tick">
              <input
                type="checkbox"
                checked={chosen.includes(organization_id)}
                onChange={(event) => toggle(organization_id, event.currentTarget.checked)}
              />
              <span dir="auto">{name}</span>
            </label>
          ))}
        </fieldset>
        {only !== null && <AgentChoice organization={only} />}
        <Tick name="read_only" label={text.readOnly} />
        <Field name="expires_at" label={text.expires} type="datetime-local" hint={text.expiresHint} />
      </Form>
    </>
  );
}

/** On whose behalf it acts: an agent of its only organization, or nobody. */
function AgentChoice({ organization }: { organization: string }) {
  const { data } = useAgentsOf(organization);
  const agents = (data?.data ?? []).map(({ agent_id, name }): [string, string] => [agent_id, name]);
  return <Choice name="agent_id" label={text.agent} options={[['', text.noAgent], ...agents]} />;
}

const bodyOf = ({ name, agent_id, read_only, expires_at }: Filled, organization_ids: string[]) => ({
  name,
  organization_ids,
  read_only: read_only !== undefined,
  ...(agent_id !== undefined && { agent_id }),
  ...(expires_at !== undefined && { expires_at: new Date(expires_at).toISOString() }),
});
