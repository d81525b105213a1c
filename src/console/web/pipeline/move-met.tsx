import { Dialog } from '../parts/dialog.js';
import { MetAnother } from '../parts/met-another.js';
import { words } from '../words/words.js';
import { type MetMove, nameOfSale } from './use-move.js';

/** Asks where a sale belongs that another moved at the same time. */
export function MoveMet({ met: { to, now }, settle }: { met: MetMove; settle: (isMine: boolean) => void }) {
  const name = nameOfSale(now.record);
  return (
    <Dialog label={name} close={() => settle(false)}>
      <div class="card-form">
        <h2 dir="auto">{name}</h2>
        <MetAnother
          fields={[
            {
              label: words.pipeline.stage,
              mine: to.label,
              theirs: now.record.current_status?.label,
            },
          ]}
          keep={() => settle(true)}
          take={() => settle(false)}
        />
      </div>
    </Dialog>
  );
}
