import { moment } from '../format.js';
import { Dialog } from '../parts/dialog.js';
import { MetAnother } from '../parts/met-another.js';
import { words } from '../words/words.js';
import type { MetChange } from './use-change.js';

const shown = (at: string | null | undefined): string => (at ? moment(at) : '');

/** Asks when a task is due that another put off at the same time. */
export function TaskMet({ met, settle }: { met: MetChange; settle: (isMine: boolean) => void }) {
  const { title, due_at } = met.now.record;
  return (
    <Dialog label={title} close={() => settle(false)}>
      <div class="card-form">
        <h2 dir="auto">{title}</h2>
        <MetAnother
          fields={[{ label: words.tasks.due, mine: shown(met.changes.due_at), theirs: shown(due_at) }]}
          keep={() => settle(true)}
          take={() => settle(false)}
        />
      </div>
    </Dialog>
  );
}
