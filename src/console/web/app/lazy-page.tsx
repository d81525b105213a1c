import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { lookWhetherLost, useBack } from '../data/connection.js';
import { Empty, Skeleton } from '../parts/states.js';
import { words } from '../words/words.js';
import type { Place } from './pages.js';

const loaded = new Map<string, ComponentType>();

/** The page of a place, whose script is loaded the first time. */
export function LazyPage({ of: { name, load } }: { of: Place }) {
  const [, draw] = useState({});
  const [hasFailed, setFailed] = useState(false);
  useBack(() => hasFailed && location.reload());
  useEffect(() => {
    if (loaded.has(name)) return;
    load().then(
      (module) => {
        loaded.set(name, module.default);
        draw({});
      },
      // Of another build, whose scripts are gone, or nobody answers: the page itself is asked for again.
      () => {
        setFailed(true);
        void lookWhetherLost();
      },
    );
  }, [name]);
  const Page = loaded.get(name);
  if (Page) return <Page />;
  return (
    <main class="page">
      {hasFailed ? (
        <Empty title={words.failed.title}>
          <button class="button" onClick={() => location.reload()}>
            {words.failed.again}
          </button>
        </Empty>
      ) : (
        <Skeleton rows={3} height={64} />
      )}
    </main>
  );
}
