import { serviceTime } from '../data/connection.js';
import { href, useRoute } from '../data/route.js';
import { exact, moment } from '../format.js';
import { Icon } from '../parts/icon.js';
import { Empty } from '../parts/states.js';
import { words } from '../words/words.js';
import type { Task } from './answers.js';
import { Part } from './part.js';
import { useDueTasks } from './use-figures.js';

const { tasks: text, all: showAll } = words.today;
const SHOWN = 7;

/** Tasks that are overdue or due today, the earliest first. */
export function DueTasks() {
  const { query } = useRoute();
  const tasks = useDueTasks();
  const org = query.get('org');
  return (
    <Part
      name="due-tasks"
      title={text.title}
      aside={<a href={href(['tasks'], { org })}>{showAll}</a>}
      of={tasks}
      rows={SHOWN}
    >
      {({ data }) =>
        data.length === 0 ? (
          <Empty title={text.none} />
        ) : (
          <ul>
            {data.slice(0, SHOWN).map((task) => (
              <li key={task.task_id}>
                <Row task={task} to={href(['tasks', task.task_id], { org })} />
              </li>
            ))}
          </ul>
        )
      }
    </Part>
  );
}

function Row({ task: { title, due_at, agent }, to }: { task: Task; to: string }) {
  const isOverdue = Date.parse(due_at!) < serviceTime();
  return (
    <a class="brief" href={to}>
      <Icon name="task" />
      <span class="brief-words">
        <span class="brief-name cut" dir="auto">
          {title}
        </span>
        <span class="quiet cut" dir="auto">
          {agent?.name ?? text.unowned}
        </span>
      </span>
      <span class={isOverdue ? 'failed' : 'quiet'} title={exact(due_at!)}>
        {isOverdue ? text.overdue(moment(due_at!)) : text.due(moment(due_at!))}
      </span>
    </a>
  );
}
