import { useEffect } from 'preact/hooks';
import { attempt, notify } from '../data/notices.js';
import { api } from '../data/session.js';
import { patch, reload, useKept } from '../data/store.js';
import { Failed, Skeleton } from '../parts/states.js';
import { words } from '../words/words.js';
import { useConfirm } from './confirm.js';
import { lasting, percent, shortly } from './numbers.js';
import type { List, ReadModel } from './records.js';
import { StateMark } from './state-mark.js';

const { readModels: text } = words.operations;
const KEY = 'ops read models';
/** While one is rebuilt its progress is looked at so often. */
const PROGRESS_MS = 1_000;
/** Behind by more than this, somebody should look. */
const LATE_S = 60;

export function ReadModels() {
  const { data, error } = useKept(KEY, () => api().GET<List<ReadModel>>('/admin/v1/projections'));
  const { dialog, ask } = useConfirm();
  const isRebuilding = data?.data.some(({ status }) => status === 'rebuilding') ?? false;
  useEffect(() => {
    if (!isRebuilding) return;
    const timer = setInterval(() => void reload(KEY), PROGRESS_MS);
    return () => clearInterval(timer);
  }, [isRebuilding]);
  if (!data && error) return <Failed error={error} again={() => void reload(KEY)} />;
  if (!data) return <Skeleton rows={6} height={64} />;
  return (
    <section class="ops-body" aria-label={text.list}>
      <p class="quiet">{text.what}</p>
      <ul class="ops-rows">
        {data.data.map((model) => (
          <li key={model.name} class="ops-row">
            <span class="ops-what">
              <strong>{model.name}</strong>
              <span class="quiet small">{text.kind[model.kind]}</span>
            </span>
            <State of={model} />
            <button
              class="button"
              disabled={model.status === 'rebuilding'}
              aria-label={text.rebuildOf(model.name)}
              onClick={() =>
                ask({
                  title: text.askTitle(model.name),
                  text: text.askText,
                  act: text.rebuild,
                  run: () => void rebuild(model),
                })
              }
            >
              {text.rebuild}
            </button>
          </li>
        ))}
      </ul>
      {dialog}
    </section>
  );
}

function State({ of: { lag_events, lag_seconds, rebuild } }: { of: ReadModel }) {
  if (rebuild) {
    const { progress, seconds_left } = rebuild;
    return (
      <span class="ops-progress">
        <progress max={1} value={progress} aria-label={text.progress} />
        <span class="small">
          {percent(progress)}
          {seconds_left !== null && ` · ${text.left(lasting(seconds_left))}`}
        </span>
      </span>
    );
  }
  if (lag_events === 0) return <StateMark kind="done">{text.upToDate}</StateMark>;
  return (
    <StateMark kind={lag_seconds > LATE_S ? 'failed' : 'waiting'}>
      {text.behind(shortly(lag_events), lasting(lag_seconds))}
    </StateMark>
  );
}

async function rebuild({ name }: ReadModel): Promise<void> {
  const begun: Partial<ReadModel> = { status: 'rebuilding', rebuild: { progress: 0, seconds_left: null } };
  const takeBack = patch<List<ReadModel>>(KEY, ({ data }) => ({
    data: data.map((one) => (one.name === name ? { ...one, ...begun } : one)),
  }));
  const params = { path: { name } };
  if (await attempt(() => api().POST('/admin/v1/projections/{name}/rebuild', { params }), takeBack))
    notify(text.begun(name));
  void reload(KEY);
}
