import { useRef } from 'preact/hooks';
import { useMaking } from '../data/making.js';
import { changedQuery, go, href, useRoute } from '../data/route.js';
import { may } from '../data/session.js';
import { reloadAll } from '../data/store.js';
import { useAgents } from '../inbox/use-conversations.js';
import { Choice, type Options } from '../parts/choice.js';
import { useKeys } from '../parts/keys.js';
import { Empty, Failed, Skeleton } from '../parts/states.js';
import { useTitle } from '../parts/title.js';
import { useWide } from '../parts/use-wide.js';
import { VirtualList } from '../parts/virtual-list.js';
import { words } from '../words/words.js';
import { type Entry, GROUPS } from './groups.js';
import { NewTask } from './new-task.js';
import { TaskPanel } from './task-panel.js';
import { TaskRow } from './task-row.js';
import { useComplete } from './use-change.js';
import { askedBy, FILTERS, useTasks } from './use-tasks.js';

const { tasks: text } = words;
/** Pixels from which a task has one line, and the heights of rows; as in tasks.css. */
const [WIDE, ONE_LINE, TWO_LINES] = [900, 44, 64];

/** What is to be done, by when it is due, and one task beside it. */
export default function Tasks() {
  const { path } = useRoute();
  const id = path[1] ?? null;
  const [isMaking, setMaking] = useMaking();
  const mayWrite = may('write');
  const back = href(['tasks'], changedQuery({}));
  useTitle(words.places.tasks);
  useKeys([
    ...(mayWrite ? [{ key: 'n', label: text.add, act: () => setMaking(true) }] : []),
    ...(id === null ? [] : [{ key: 'Escape', label: text.key.close, act: () => go(back) }]),
  ]);
  return (
    <main class={`page tasks ${id === null ? '' : 'has-task'}`}>
      <section class="tasks-side">
        <header class="records-head">
          <h1>{words.places.tasks}</h1>
          <Filters />
          {mayWrite && (
            <button class="button main" onClick={() => setMaking(true)}>
              {text.add}
            </button>
          )}
        </header>
        <List open={id} />
      </section>
      {id !== null && <TaskPanel key={id} id={id} back={back} />}
      {isMaking && mayWrite && <NewTask close={() => setMaking(false)} />}
    </main>
  );
}

function Filters() {
  const agents = useAgents().map(({ agent_id, name }): Options[0] => [agent_id, name]);
  const states = GROUPS.map((group): Options[0] => [group, text.group[group]]);
  return (
    <>
      <Choice bare name="state" label={text.state} options={[['', text.any], ...states]} />
      <Choice
        bare
        name="agent_id"
        label={words.inbox.field.owner}
        options={[['', words.pipeline.anyOwner], ...agents]}
      />
    </>
  );
}

const keyOf = (entry: Entry): string => ('head' in entry ? entry.head : entry.task.task_id);

function List({ open }: { open: string | null }) {
  const { query } = useRoute();
  const asked = askedBy(query);
  const { entries, error, hasMore, more, isWhole } = useTasks(asked);
  const complete = useComplete();
  const isWide = useWide(WIDE);
  const box = useRef<HTMLDivElement>(null);
  const tasks = (entries ?? []).flatMap((entry) => ('task' in entry ? [entry.task] : []));
  const here = () => {
    const focused = (document.activeElement as HTMLElement | null)?.dataset['task'] ?? open;
    return tasks.findIndex(({ task_id }) => task_id === focused);
  };
  const focusOn = (at: number) => {
    const id = tasks[at]?.task_id;
    const link = id && box.current?.querySelector<HTMLElement>(`[data-task="${id}"]`);
    if (!link) return;
    link.focus();
    link.scrollIntoView({ block: 'nearest' });
  };
  const toggle = () => {
    const at = here();
    const task = tasks[at];
    if (!task) return;
    // What is done leaves its place to the next one.
    if (open === null) focusOn(tasks[at + 1] ? at + 1 : at - 1);
    complete(task);
  };
  useKeys([
    { key: 'j', label: text.key.next, act: () => focusOn(here() + 1) },
    { key: 'k', label: text.key.previous, act: () => focusOn(Math.max(0, here() - 1)) },
    ...(may('write') ? [{ key: 'x', label: text.key.complete, act: toggle }] : []),
  ]);
  if (!entries || (entries.length === 0 && !isWhole))
    return error ? (
      <Failed error={error} again={() => void reloadAll('tasks ')} />
    ) : (
      <Skeleton rows={8} height={isWide ? ONE_LINE : TWO_LINES} />
    );
  if (entries.length === 0)
    return FILTERS.some((name) => query.has(name)) ? (
      <Empty title={words.records.nothingMatches}>
        <a href={href(['tasks'], { org: query.get('org') })}>{words.inbox.clear}</a>
      </Empty>
    ) : (
      <Empty title={text.noneYet}>
        <p>{text.noneYetHint}</p>
      </Empty>
    );
  return (
    <div class="tasks-list" ref={box}>
      <VirtualList
        key={JSON.stringify(asked)}
        label={text.list}
        rows={entries}
        height={isWide ? ONE_LINE : TWO_LINES}
        keyOf={keyOf}
        chosen={open}
        hasMore={hasMore}
        more={more}
        draw={(entry) =>
          'head' in entry ? (
            <h2 class={`task-group ${entry.head === 'overdue' ? 'failed' : ''}`}>{text.group[entry.head]}</h2>
          ) : (
            <TaskRow
              task={entry.task}
              isOpen={entry.task.task_id === open}
              {...(may('write') && { complete })}
            />
          )
        }
      />
    </div>
  );
}
