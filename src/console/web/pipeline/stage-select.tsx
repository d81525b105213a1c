import type { Sale, Stage } from '../data/records.js';
import { Icon } from '../parts/icon.js';
import { words } from '../words/words.js';
import { nameOfSale } from './use-move.js';

const { pipeline: text } = words;

interface Props {
  sale: Sale;
  stages: Stage[];
  move: (to: Stage) => void;
  /** As a small mark in place of a field. */
  bare?: boolean;
}

/** Moves a sale to another stage, without a drag. */
export function StageSelect({ sale, stages, move, bare }: Props) {
  const label = text.moveTo(nameOfSale(sale));
  const now = sale.current_status?.status_id ?? '';
  return (
    <span class={bare ? 'stage-mark' : 'stage-select'} title={bare ? label : undefined}>
      {bare && <Icon name="move" />}
      <select
        class={bare ? '' : 'field'}
        aria-label={label}
        value={now}
        onChange={(event) => {
          const to = stages.find(({ status_id }) => status_id === event.currentTarget.value);
          // What is shown is where the sale is, and not what was chosen.
          event.currentTarget.value = now;
          if (to) move(to);
        }}
      >
        {stages.every(({ status_id }) => status_id !== now) && (
          <option value={now}>{sale.current_status?.label}</option>
        )}
        {stages.map(({ status_id, label: name }) => (
          <option key={status_id} value={status_id}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}
