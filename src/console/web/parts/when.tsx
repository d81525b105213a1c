import { useState } from 'preact/hooks';
import { serviceTime } from '../data/connection.js';
import { clockHere, instantHere, moment } from '../format.js';
import { words } from '../words/words.js';
import { laterTimes } from './later-times.js';

/** A list of the next usual times, and a field for any other; all by the clock of the organization. */
export function When({ label, choose }: { label: string; choose: (at: Date) => void }) {
  const [other, setOther] = useState('');
  const now = clockHere(new Date(serviceTime()).toISOString());
  const take = (clock: string) => choose(new Date(instantHere(clock)));
  return (
    <>
      {laterTimes(now).map(({ name, clock }) => (
        <button key={name} type="button" class="menu-item" onClick={() => take(clock)}>
          {words.when[name]}
          <span class="quiet small">{moment(instantHere(clock))}</span>
        </button>
      ))}
      <form
        class="when-other"
        onSubmit={(event) => {
          event.preventDefault();
          if (other !== '') take(other);
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
