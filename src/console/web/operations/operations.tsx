import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { go } from '../data/route.js';
import { useKeys } from '../parts/keys.js';
import { Empty } from '../parts/states.js';
import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';
import { type Tab, tabsHere, to, usePlace } from './address.js';
import { Channels } from './channels.js';
import { Deliveries } from './deliveries.js';
import { Doctor } from './doctor.js';
import { Keys } from './keys.js';
import { Metrics } from './metrics.js';
import { Organizations } from './organizations.js';
import { ReadModels } from './read-models.js';
import { Webhooks } from './webhooks.js';

const { operations: text } = words;

const TABS: Record<Tab, ComponentType> = {
  metrics: Metrics,
  doctor: Doctor,
  deliveries: Deliveries,
  'read-models': ReadModels,
  webhooks: Webhooks,
  channels: Channels,
  keys: Keys,
  organizations: Organizations,
};

/** What operators look after; of it, whoever has an API key sees what is of its organization. */
export default function Operations() {
  const { tab } = usePlace();
  const tabs = tabsHere();
  const step = (by: number) => {
    const at = tab === undefined ? 0 : tabs.indexOf(tab);
    go(to(tabs[(at + by + tabs.length) % tabs.length]!));
  };
  useKeys([
    { key: '[', label: text.key.previousTab, act: () => step(-1) },
    { key: ']', label: text.key.nextTab, act: () => step(1) },
  ]);
  // On a small screen the tabs are wider than the page.
  const nav = useRef<HTMLElement>(null);
  useEffect(
    () =>
      nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    [tab],
  );
  const title = tab === undefined ? words.places.operations : text.tab[tab];
  useTitle(title);
  const Shown = tab && TABS[tab];
  return (
    <main class="page operations">
      <header class="ops-head">
        <h1>{words.places.operations}</h1>
        <nav class="tabs" ref={nav} aria-label={text.tabs}>
          {tabs.map((one) => (
            <a key={one} href={to(one)} aria-current={one === tab ? 'page' : undefined}>
              {text.tab[one]}
            </a>
          ))}
        </nav>
      </header>
      {Shown ? (
        <Shown key={tab} />
      ) : (
        <Empty title={words.failed.title}>
          <p>{words.failed.noPage}</p>
        </Empty>
      )}
    </main>
  );
}
