import { serviceTime } from '../data/connection.js';
import type { Task } from '../data/records.js';
import { changedQuery, href } from '../data/route.js';
import { Icon } from '../parts/icon.js';
import { Time } from '../parts/states.js';
import { words } from '../words/words.js';
import { aboutOf } from './about.js';

const { tasks: text } = words;

interface Props {
  task: Task;
  isOpen: boolean;
  complete?: (task: Task) => void;
}

/** A task in a line: whether it is done, what it is, whom it is about, who does it, and by when. */
export function TaskRow({ task, isOpen, complete }: Props) {
  const { task_id, title, due_at, completed_at, agent } = task;
  const isDone = completed_at !== null;
  const about = aboutOf(task);
  const isOverdue = !isDone && due_at !== null && Date.parse(due_at) < serviceTime();
  return (
    <div class={`task-row ${isOpen ? 'is-open' : ''}`}>
      {complete ? (
        <CheckButton task={task} complete={complete} />
      ) : (
        <span class="task-check">{isDone && <Icon name="check" size={14} />}</span>
      )}
      <a
        class={`task-title cut ${isDone ? 'quiet' : ''}`}
        href={href(['tasks', task_id], changedQuery({}))}
        data-task={task_id}
        aria-current={isOpen ? 'true' : undefined}
        dir="auto"
      >
        {title}
      </a>
      <span class="task-about cut">
        {about && (
          <a href={about.to} dir="auto">
            {about.name}
          </a>
        )}
      </span>
      <span class="task-agent quiet cut" dir="auto">
        {agent?.name ?? words.inbox.nobody}
      </span>
      <span class={`task-due ${isOverdue ? 'failed' : 'quiet'}`}>
        {isDone ? <Time at={completed_at} /> : due_at !== null && <Time at={due_at} />}
      </span>
    </div>
  );
}

/** A box that says what pressing it does. */
function CheckButton({ task, complete }: { task: Task; complete: (task: Task) => void }) {
  const isDone = task.completed_at !== null;
  const label = isDone ? text.reopen(task.title) : text.complete(task.title);
  return (
    <button class="task-check" aria-label={label} title={label} onClick={() => complete(task)}>
      <span class="task-box">{isDone && <Icon name="check" size={14} />}</span>
    </button>
  );
}
