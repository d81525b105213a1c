import type { ComponentChildren } from 'preact';
import { words } from '../words/words.js';

interface Field {
  label: string;
  mine: ComponentChildren;
  theirs: ComponentChildren;
}

/** An edit that met another's: both are shown, and the person chooses. */
export function MetAnother({ fields, keep, take }: { fields: Field[]; keep: () => void; take: () => void }) {
  const { met: text } = words;
  return (
    <section class="met" role="alert" aria-label={text.title}>
      <strong>{text.title}</strong>
      {fields.map(({ label, mine, theirs }) => (
        <dl key={label} aria-label={label}>
          <Value label={text.mine(label)} value={mine} />
          <Value label={text.theirs(label)} value={theirs} />
        </dl>
      ))}
      <div class="met-acts">
        <button type="button" class="button" onClick={keep}>
          {text.keep}
        </button>
        <button type="button" class="button" onClick={take}>
          {text.take}
        </button>
      </div>
    </section>
  );
}

const Value = ({ label, value }: { label: string; value: ComponentChildren }) => (
  <div>
    <dt class="quiet small">{label}</dt>
    <dd class="met-value" dir="auto" tabIndex={0}>
      {value === '' || value == null ? <span class="quiet">{words.met.empty}</span> : value}
    </dd>
  </div>
);
