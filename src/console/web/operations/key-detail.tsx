import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { attempt, notify } from '../data/notices.js';
import { api } from '../data/session.js';
import { serviceTime } from '../data/connection.js';
import { patch, reload } from '../data/store.js';
import { Time } from '../parts/states.js';
import { words } from '../words/words.js';
import { to } from './address.js';
import { useConfirm } from './confirm.js';
import { Choice } from './form.js';
import { lasting } from './numbers.js';
import type { ApiKey, List } from './records.js';
import type { Secret } from './secret.js';
import { Facts } from './split.js';
import { useAgentsOf } from './use-agents.js';
import { useNames } from './use-organizations.js';

const { keys: text } = words.operations;

export const KEYS = 'ops keys';

/** Seconds for which the old secret may stay valid. */
const OVERLAPS = [3_600, 86_400, 7 * 86_400];

interface Props {
  of: ApiKey;
  state: ComponentChildren;
  tellSecret: (secret: Secret) => void;
}

export function KeyDetail({ of, state, tellSecret }: Props) {
  const nameOf = useNames();
  // That of its only organization has a name here; of several nobody knows which one it is of.
  const [only, ...others] = of.organization_ids;
  const agents = useAgentsOf(of.agent_id === null || others.length > 0 ? null : only!);
  const agent = agents.data?.data.find(({ agent_id }) => agent_id === of.agent_id);
  return (
    <>
      <h2 dir="auto">{of.name}</h2>
      {state}
      <Facts
        facts={[
          [text.organizations, <Links ids={of.organization_ids} nameOf={nameOf} />],
          [text.agent, agent?.name ?? of.agent_id],
          [text.may, of.read_only ? text.mayRead : text.mayAll],
          [text.lastUsed, of.last_used_at === null ? text.never : <Time at={of.last_used_at} />],
          [text.expires, of.expires_at === null ? text.neverExpires : <Time at={of.expires_at} />],
          [text.revokedAt, of.revoked_at && <Time at={of.revoked_at} />],
          [words.operations.made, <Time at={of.created_at} />],
          [words.operations.id, of.key_id],
        ]}
      />
      {of.revoked_at === null && <Acts of={of} tellSecret={tellSecret} />}
    </>
  );
}

const Links = ({ ids, nameOf }: { ids: string[]; nameOf: (id: string) => string }) => (
  <>
    {ids.map((id, index) => (
      <>
        {index > 0 && ', '}
        <a href={to('organizations', id)} dir="auto">
          {nameOf(id)}
        </a>
      </>
    ))}
  </>
);

function Acts({ of: { key_id, name }, tellSecret }: Omit<Props, 'state'>) {
  const { dialog, ask } = useConfirm();
  const [overlap, setOverlap] = useState(0);
  const params = { path: { key_id } };
  const rotate = () =>
    attempt(async () => {
      const body = { overlap_seconds: overlap };
      const { api_key } = await api().POST<{ api_key: string }>('/admin/v1/api-keys/{key_id}/rotate', {
        params,
        body,
      });
      tellSecret({ title: text.newSecret(name), value: api_key });
      await reload(KEYS);
    });
  const revoke = async () => {
    const revoked_at = new Date(serviceTime()).toISOString();
    const takeBack = patch<List<ApiKey>>(KEYS, ({ data }) => ({
      data: data.map((one) => (one.key_id === key_id ? { ...one, revoked_at } : one)),
    }));
    const isDone = await attempt(() => api().DELETE('/admin/v1/api-keys/{key_id}', { params }), takeBack);
    if (isDone) notify(text.revokedNow(name));
  };
  return (
    <>
      <section class="ops-form">
        <h3>{text.rotate}</h3>
        <Choice
          name="overlap"
          label={text.overlap}
          value={String(overlap)}
          options={[
            ['0', text.atOnce],
            ...OVERLAPS.map((one): [string, string] => [String(one), lasting(one)]),
          ]}
          onChange={(seconds) => setOverlap(Number(seconds))}
        />
        <div class="ops-acts">
          <button
            class="button"
            onClick={() =>
              ask({
                title: text.rotate,
                text: overlap === 0 ? text.rotateNow : text.rotateLater(lasting(overlap)),
                act: text.rotate,
                run: () => void rotate(),
              })
            }
          >
            {text.rotate}
          </button>
        </div>
      </section>
      <section class="ops-form">
        <h3>{text.revoke}</h3>
        <p class="quiet">{text.revokeText}</p>
        <div class="ops-acts">
          <button
            class="button"
            onClick={() =>
              ask({
                title: text.revokeTitle(name),
                text: text.revokeText,
                act: text.revoke,
                run: () => void revoke(),
              })
            }
          >
            {text.revoke}
          </button>
        </div>
      </section>
      {dialog}
    </>
  );
}
