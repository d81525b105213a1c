import { useRoute } from '../data/route.js';
import { useKeys } from '../parts/keys.js';
import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';
import { behindOf, closeRecords, showTables, tablesOf } from './address.js';
import { Agents } from './agents.js';
import { choiceOf } from './calendar.js';
import { DueTasks } from './due-tasks.js';
import { Funnel } from './funnel.js';
import { Plots } from './plots.js';
import { Records } from './records.js';
import { Totals } from './totals.js';
import { Waiting } from './waiting.js';

const { today: text } = words;

/** Who waits and what is due, then how things went: each figure opens the records behind it. */
export default function Today() {
  useTitle(words.places.today);
  const { query } = useRoute();
  const choice = choiceOf(query);
  const behind = behindOf(query);
  const hasTables = tablesOf(query).length > 0;
  useKeys([
    { key: 'w', label: text.key.window, act: () => document.getElementById('today-window')?.focus() },
    { key: 't', label: text.key.tables, act: () => showTables(hasTables ? [] : Object.keys(text.plot)) },
    { key: 'Escape', label: text.key.leave, act: closeRecords },
  ]);
  return (
    <>
      <main class={`page today ${behind ? 'has-behind' : ''}`}>
        <h1>{words.places.today}</h1>
        <div class="today-pair">
          <Waiting />
          <DueTasks />
        </div>
        <Totals choice={choice} />
        <Plots choice={choice} />
        <div class="today-pair wide">
          <Funnel choice={choice} />
          <Agents choice={choice} />
        </div>
      </main>
      {behind && <Records behind={behind} />}
    </>
  );
}
