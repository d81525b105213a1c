import { Dialog } from '../parts/dialog.js';
import { type Key, keysOf } from '../parts/keys.js';
import { words } from '../words/words.js';

const SHOWN: Record<string, string> = { Escape: 'Esc', ' ': 'Space' };

export function KeysHelp({ close }: { close: () => void }) {
  const always = [
    { key: 'Ctrl K', label: words.key.find },
    { key: 'Ctrl Enter', label: words.key.send },
    { key: 'Escape', label: words.key.leave },
  ];
  return (
    <Dialog label={words.keys.title} close={close}>
      <div class="keys">
        <h1>{words.keys.title}</h1>
        <Group title={words.keys.here} keys={keysOf(false).filter(({ key }) => key !== 'Escape')} />
        <Group title={words.keys.everywhere} keys={[...keysOf(true), ...always]} />
        <form method="dialog">
          <button class="button">{words.close}</button>
        </form>
      </div>
    </Dialog>
  );
}

const Group = ({ title, keys }: { title: string; keys: Omit<Key, 'act'>[] }) => (
  <section>
    <h2>{title}</h2>
    <dl>
      {keys.map(({ key, label }) => (
        <>
          <dt>
            <kbd class="key">{SHOWN[key] ?? key}</kbd>
          </dt>
          <dd>{label}</dd>
        </>
      ))}
    </dl>
  </section>
);
