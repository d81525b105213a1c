import type { ComponentChildren } from 'preact';
import { useCalls } from '../data/organization.js';
import type { Task } from '../data/records.js';
import { may } from '../data/session.js';
import { reload, useKept } from '../data/store.js';
import { moment } from '../format.js';
import { HistoryLink } from '../parts/history-link.js';
import { Icon } from '../parts/icon.js';
import { Menu } from '../parts/menu.js';
import { Failed, Skeleton, Time } from '../parts/states.js';
import { useTitle } from '../parts/title.js';
import { When } from '../parts/when.js';
import { EditField } from '../records/edit-field.js';
import type { Field } from '../records/kind.js';
import { keyOfRecord, type Save, useRecord } from '../records/use-records.js';
import { words } from '../words/words.js';
import { aboutOf } from './about.js';
import { TaskMet } from './task-met.js';
import { showTask, TASKS, useChange, useComplete } from './use-change.js';

const { tasks: text } = words;

const FIELDS: Field[] = [
  { name: 'title', label: text.title, type: 'text' },
  { name: 'due_at', label: text.due, type: 'instant' },
  { name: 'agent_id', label: words.inbox.field.owner, type: 'agent' },
  { name: 'notes', label: text.notes, type: 'lines' },
];

/** One task beside the list, each part of it changed in its place. */
export function TaskPanel({ id, back }: { id: string; back: string }) {
  const { data, error, save } = useRecord<Task>(TASKS, id);
  useTitle(data?.record.title ?? words.places.tasks);
  if (!data || error?.status === 404)
    return (
      <Side back={back}>
        {error ? (
          <Failed error={error} again={() => void reload(keyOfRecord(id))} />
        ) : (
          <Skeleton rows={4} height={64} />
        )}
      </Side>
    );
  const { record } = data;
  const saveShown: Save<Task> = async (base, body) => {
    const outcome = await save(base, body);
    if ('done' in outcome) showTask(outcome.done.record);
    return outcome;
  };
  return (
    <Side back={back} title={record.title}>
      {may('write') && <Acts of={record} />}
      <dl class="fact-list">
        {FIELDS.map((field) => (
          <EditField
            key={field.name}
            id={id}
            field={field}
            seen={data}
            {...(may('write') && { save: saveShown })}
          />
        ))}
        <AboutFact of={record} />
        <Fact label={text.made}>
          <Time at={record.created_at} />
        </Fact>
        {record.completed_at !== null && (
          <Fact label={text.doneAt}>
            <Time at={record.completed_at} />
          </Fact>
        )}
      </dl>
      <p>
        <HistoryLink of={id} />
      </p>
    </Side>
  );
}

const Side = ({ back, title, children }: { back: string; title?: string; children: ComponentChildren }) => (
  <aside class="task-side" aria-label={text.task}>
    <header class="sale-head">
      <h2 class="cut" dir="auto">
        {title}
      </h2>
      <a class="button bare" href={back} aria-label={text.close} title={text.close}>
        <Icon name="close" />
      </a>
    </header>
    <div class="task-details">{children}</div>
  </aside>
);

const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div class="fact">
    <dt class="quiet">{label}</dt>
    <dd>{children}</dd>
  </div>
);

function Acts({ of }: { of: Task }) {
  const complete = useComplete();
  const { change, met, settle } = useChange();
  const isDone = of.completed_at !== null;
  return (
    <div class="acts">
      <button class="button" onClick={() => complete(of)}>
        <Icon name={isDone ? 'back' : 'check'} />
        {isDone ? words.acts.reopen : text.completeIt}
      </button>
      {!isDone && (
        <Menu
          label={
            <>
              <Icon name="clock" /> {text.putOff}
            </>
          }
        >
          {(close) => (
            <When
              id="put-off"
              say={text.putOffTo}
              choose={(at) => {
                close();
                const due_at = at.toISOString();
                change(of, { due_at }, text.movedTo(moment(due_at)));
              }}
            />
          )}
        </Menu>
      )}
      {met && <TaskMet met={met} settle={settle} />}
    </div>
  );
}

/** The record that it is about, by its name. */
function AboutFact({ of }: { of: Task }) {
  const calls = useCalls();
  const { task_id } = of;
  const link = aboutOf(of);
  const { data } = useKept<Task>(link && `task about ${link.id}`, () =>
    calls.GET('/tasks/{task_id}', {
      params: { path: { task_id }, query: { expand: 'company,contact,sale' } },
    }),
  );
  const named = data ? aboutOf(data) : link;
  if (!named) return null;
  return (
    <Fact label={text.about}>
      <a href={named.to} dir="auto">
        {named.name}
      </a>{' '}
      <span class="quiet">{words.kind[named.type]}</span>
    </Fact>
  );
}
