import { serviceTime } from '../data/connection.js';
import { useZone } from '../data/organization.js';
import { useFinished } from '../parts/use-finished.js';
import { words } from '../words/words.js';
import { choose } from './address.js';
import { type Choice, dateIn, dateOf, daysOf, intervalsOf, spansOf, WINDOWS } from './calendar.js';
import { daysOfSpan } from './numbers.js';

const { today: text } = words;
const OWN = 'own';

/** Which window the figures are of, and how it is cut. */
export function WindowChoice({ choice }: { choice: Choice }) {
  const zone = useZone();
  if (zone === null) return null;
  const { window, from, to, interval } = choice;
  const now = serviceTime();
  const today = dateIn(zone, now);
  const spans = spansOf(choice, zone, now);
  const chooseWindow = (name: string) => {
    if (name !== OWN) return choose({ window: name, from: null, to: null, interval: null });
    const [first, last] = daysOf(choice, today).map(dateOf);
    choose({ window: null, from: first!, to: last!, interval });
  };
  return (
    <div class="window-choice">
      <label>
        <span class="only-read">{text.window}</span>
        <select
          id="today-window"
          class="field"
          value={window ?? OWN}
          onChange={(event) => chooseWindow(event.currentTarget.value)}
        >
          {[...Object.keys(WINDOWS), OWN].map((name) => (
            <option key={name} value={name}>
              {text.windows[name as keyof typeof text.windows]}
            </option>
          ))}
        </select>
      </label>
      {window === null && (
        <>
          <Day label={text.from} value={from!} max={to!} set={(day) => choose({ from: day })} />
          <Day label={text.to} value={to!} min={from!} max={today} set={(day) => choose({ to: day })} />
        </>
      )}
      <label>
        <span class="only-read">{text.interval}</span>
        <select
          class="field"
          value={interval}
          onChange={(event) => choose({ interval: event.currentTarget.value })}
        >
          {intervalsOf(choice).map((name) => (
            <option key={name} value={name}>
              {text.intervals[name]}
            </option>
          ))}
        </select>
      </label>
      <p class="quiet">{text.compared(daysOfSpan(spans.now), daysOfSpan(spans.before))}</p>
    </div>
  );
}

interface DayProps {
  label: string;
  value: string;
  min?: string;
  max: string;
  set: (day: string) => void;
}

function Day({ label, value, min, max, set }: DayProps) {
  const field = useFinished(value, (day, { validity }) => validity.valid && set(day));
  return (
    <label>
      <span class="only-read">{label}</span>
      <input {...field} class="field" type="date" required min={min} max={max} />
    </label>
  );
}
