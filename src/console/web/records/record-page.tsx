import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { notify } from '../data/notices.js';
import type { CrmRecord } from '../data/records.js';
import { changedQuery, go, href, useRoute } from '../data/route.js';
import { may } from '../data/session.js';
import { reload } from '../data/store.js';
import { useKeys } from '../parts/keys.js';
import { Failed, Skeleton } from '../parts/states.js';
import { useTitle } from '../parts/title.js';
import { useWide } from '../parts/use-wide.js';
import { words } from '../words/words.js';
import type { Kind } from './kind.js';
import { RecordDetails } from './record-details.js';
import { RecordHead } from './record-head.js';
import { keyOfRecord, useRecord } from './use-records.js';

const { records: text } = words;
/** Pixels from which details and tabs are side by side; as in record.css. */
const WIDE = 900;

export interface RecordTab {
  name: string;
  label: string;
  show: () => ComponentChildren;
}

/** One record: what it is on the left, and all around it in tabs. On a small screen the first tab is what it is. */
export function RecordPage<R extends CrmRecord>({
  kind,
  id,
  tabs,
}: {
  kind: Kind<R>;
  id: string;
  tabs: RecordTab[];
}) {
  const { query } = useRoute();
  const seen = useRecord(kind, id);
  const { data, error, save } = seen;
  const back = href([kind.place], changedQuery({ tab: null }));
  useTitle(data ? kind.titleOf(data.record) : words.places[kind.place]);
  useMerged(kind, error);
  const show = (tab: string) => go(href([kind.place, id], changedQuery({ tab })));
  useKeys([
    { key: 'Escape', label: text.key.back, act: () => go(back) },
    ...tabs.map(({ name, label }, index) => ({ key: String(index + 1), label, act: () => show(name) })),
  ]);
  const isGone = error?.status === 404;
  if (!data || isGone)
    return (
      <main class="page">
        {error ? (
          <Failed error={error} again={() => void reload(keyOfRecord(id))} />
        ) : (
          <Skeleton rows={6} height={64} />
        )}
      </main>
    );
  const asked = query.get('tab');
  const tab = tabs.find(({ name }) => name === asked) ?? tabs[0]!;
  return (
    <main class={`page record ${tab.name === asked ? '' : 'shows-details'}`}>
      <RecordHead kind={kind} seen={data} back={back} />
      <RecordDetails kind={kind} seen={data} save={may('write') ? save : undefined} />
      <div class="record-around">
        <Tabs tabs={tabs} shown={tab.name} hasChosen={tab.name === asked} />
        <div class="record-tab" key={tab.name}>
          {tab.show()}
        </div>
      </div>
    </main>
  );
}

/** Who asks for a record that has become part of another is shown that one. */
function useMerged<R extends CrmRecord>(
  { place, text: kind }: Kind<R>,
  error: { code: string; hint?: { route: string } } | undefined,
): void {
  const into = error?.code === 'merged' ? error.hint?.route.split('/').at(-1) : undefined;
  useEffect(() => {
    if (into === undefined) return;
    notify(kind.merged);
    go(href([place, into], changedQuery({})), { replace: true });
  }, [into]);
}

/** Beside a wide page's details some tab is always shown, on a small one the details are a tab of their own. */
function Tabs({ tabs, shown, hasChosen }: { tabs: RecordTab[]; shown: string; hasChosen: boolean }) {
  const { path } = useRoute();
  const isWide = useWide(WIDE);
  const details = isWide ? [] : [{ name: null, label: text.details }];
  return (
    <nav class="tabs record-tabs" aria-label={text.around}>
      {[...details, ...tabs].map(({ name, label }) => (
        <a
          key={name}
          class="tab"
          href={href(path, changedQuery({ tab: name }))}
          aria-current={(isWide || hasChosen ? name === shown : name === null) ? 'page' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}
