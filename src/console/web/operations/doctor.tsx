import { useEffect, useState } from 'preact/hooks';
import type { ParleyError } from '../data/api.js';
import { go, useRoute } from '../data/route.js';
import { api, endedBy } from '../data/session.js';
import { Failed, Skeleton, Time } from '../parts/states.js';
import { words } from '../words/words.js';
import { serviceTime } from '../data/connection.js';
import { to } from './address.js';
import type { Finding, List } from './records.js';
import { StateMark } from './state-mark.js';

const { doctor: text } = words.operations;

interface Examined {
  findings?: Finding[];
  at?: string;
  error?: ParleyError;
}

/** What is wrong with the set-up. It is looked into when somebody asks, not again and again: that may trouble providers. */
export function Doctor() {
  const { query } = useRoute();
  const channels = query.get('channels') === 'true';
  const [examined, setExamined] = useState<Examined>({});
  const [isBusy, setBusy] = useState(false);
  const examine = () => {
    setBusy(true);
    const asked = api().GET<List<Finding>>('/admin/v1/doctor', {
      params: { query: { channels } },
      // Providers that do not answer take ten seconds, ten of them at a time.
      timeout: 600,
      retries: 0,
    });
    asked
      .then(
        ({ data }) => setExamined({ findings: data, at: new Date(serviceTime()).toISOString() }),
        (error: ParleyError) => void (endedBy(error) || setExamined({ error })),
      )
      .finally(() => setBusy(false));
  };
  useEffect(examine, [channels]);
  const { findings, at, error } = examined;
  if (error) return <Failed error={error} again={examine} />;
  if (!findings) return <Skeleton rows={6} height={64} />;
  return (
    <section class="ops-body" aria-label={text.list}>
      <div class="ops-acts">
        <p role="status">{isBusy ? text.busy : summary(findings)}</p>
        <span class="quiet small">
          {text.looked} <Time at={at!} />
        </span>
        <button class="button" disabled={isBusy} onClick={examine}>
          {text.again}
        </button>
        <label class="tick">
          <input
            type="checkbox"
            checked={channels}
            disabled={isBusy}
            onChange={(event) =>
              go(to('doctor', null, { channels: event.currentTarget.checked ? 'true' : null }))
            }
          />
          <span>{text.channels}</span>
        </label>
      </div>
      <ul class="ops-rows">
        {inOrder(findings).map((finding, index) => (
          <li key={index} class="ops-row finding">
            <StateMark kind={KIND[finding.verdict]}>{text.verdict[finding.verdict]}</StateMark>
            <span class="ops-what">
              <strong>{finding.check}</strong>
              <span>{finding.detail}</span>
              {finding.fix !== undefined && <span class="quiet">{text.fix(finding.fix)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const KIND = { error: 'failed', warning: 'warning', ok: 'done' } as const;
const ORDER = ['error', 'warning', 'ok'];

/** The worst first. */
const inOrder = (findings: Finding[]): Finding[] =>
  findings.toSorted((one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict));

function summary(findings: Finding[]): string {
  const count = (verdict: string) => findings.filter((one) => one.verdict === verdict).length;
  return text.summary(count('error'), count('warning'));
}
