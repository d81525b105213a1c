import { useState } from 'preact/hooks';
import { laterTimes, moment } from '../format.js';
import { words } from '../words/words.js';

/** A list of the next usual times, and a field for any other. */
export function When({ label, choose }: { label: string; choose: (at: Date) => void }) {
  const [other, setOther] = useState('');
  return (
    <>
      {laterTimes().map(({ name, at }) => (
        <button key={name} type="button" class="menu-item" onClick={() => choose(at)}>
          {words.when[name]}
          <span class="quiet small">{moment(at.toISOString())}</span>
        </button>
      ))}
      <form
        class="when-other"
        onSubmit={(event) => {
          event.preventDefault();
          if (other !== '') choose(new Date(other));
        }}
      >
        <label class="label" for={`when-${label}`}>
          {words.when.other}
        </label>
        <input
          id={`when-${label}`}
          class="field"
          type="datetime-local"
          required
          value={other}
          onInput={(event) => setOther(event.currentTarget.value)}
        />
        <button class="button slim">{words.when.set}</button>
      </form>
    </>
  );
}
