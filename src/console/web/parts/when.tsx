import { useState } from 'preact/hooks';
import { serviceTime } from '../data/connection.js';
import { clockHere, instantHere, momentAhead } from '../format.js';
import { words } from '../words/words.js';
import { laterTimes } from './later-times.js';

interface Props {
  id: string;
  /** What happens at that time, as its button says it; `isNamed` as `momentAhead` has it. */
  say: (time: string, isNamed: boolean) => string;
  choose: (at: Date) => void;
}

/** A list of the next usual times, and a field for any other; all by the clock of the organization. */
export function When({ id, say, choose }: Props) {
  const [other, setOther] = useState('');
  const now = clockHere(new Date(serviceTime()).toISOString());
  const take = (clock: string) => choose(new Date(instantHere(clock)));
  const sayAt = (clock: string) => {
    const { time, isNamed } = momentAhead(instantHere(clock));
    return say(time, isNamed);
  };
  return (
    <>
      {laterTimes(now).map(({ name, clock }) => (
        <button key={name} type="button" class="menu-item" onClick={() => take(clock)}>
          {sayAt(clock)}
          <span class="quiet small">{words.when[name]}</span>
        </button>
      ))}
      <form
        class="when-other"
        onSubmit={(event) => {
          event.preventDefault();
          if (other !== '') take(other);
        }}
      >
        <label class="label" for={`when-${id}`}>
          {words.when.other}
        </label>
        <input
          id={`when-${id}`}
          class="field"
          type="datetime-local"
          required
          value={other}
          onInput={(event) => setOther(event.currentTarget.value)}
        />
        <button class="button slim">{other === '' ? say(words.when.then, true) : sayAt(other)}</button>
      </form>
    </>
  );
}
