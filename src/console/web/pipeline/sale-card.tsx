import type { Sale, Stage } from '../data/records.js';
import { day, money, today } from '../format.js';
import { Icon } from '../parts/icon.js';
import { TagMark } from '../parts/tag.js';
import { words } from '../words/words.js';
import { StageSelect } from './stage-select.js';
import { nameOfSale } from './use-move.js';

const { pipeline: text } = words;
const KIND = 'application/x-parley-sale';

export const isSaleDragged = (event: DragEvent): boolean => event.dataTransfer?.types.includes(KIND) ?? false;

interface Props {
  sale: Sale;
  link: string;
  isOpen: boolean;
  stages: Stage[];
  move?: (sale: Sale, to: Stage) => void;
}

/** A sale in few words, which is dragged from stage to stage or moved by a menu. */
export function SaleCard({ sale, link, isOpen, stages, move }: Props) {
  const { quote_details: quote, company, owner, expected_close_on: closing, closed_at, tags } = sale;
  const isOverdue = closing !== null && closed_at === null && closing < today();
  return (
    <div class="card-place">
      <a
        class="sale-card"
        href={link}
        data-sale={sale.sale_id}
        aria-current={isOpen ? 'true' : undefined}
        draggable={move !== undefined}
        onDragStart={(event) => {
          event.dataTransfer!.effectAllowed = 'move';
          event.dataTransfer!.setData(KIND, sale.sale_id);
          event.dataTransfer!.setData('text/plain', sale.sale_id);
        }}
      >
        <span class="row-line">
          <strong class="row-name cut" dir="auto">
            {nameOfSale(sale)}
          </strong>
          {tags.slice(0, 1).map((tag) => (
            <TagMark key={tag.tag_id} tag={tag} />
          ))}
        </span>
        <span class="row-line">
          <span class="row-name quiet cut" dir="auto">
            {company?.name ?? text.noCompany}
          </span>
          {quote && <span>{money(quote.output.total_price, quote.output.currency)}</span>}
        </span>
        <span class="row-line small quiet">
          <span class="row-name cut" dir="auto">
            {owner?.name ?? words.inbox.nobody}
          </span>
          {closing !== null && (
            <span class={isOverdue ? 'failed' : ''}>
              {isOverdue && <Icon name="alert" size={12} />}{' '}
              {isOverdue ? text.late(day(closing)) : day(closing)}
            </span>
          )}
          {move && <span class="move-room" />}
        </span>
      </a>
      {move && <StageSelect sale={sale} stages={stages} move={(to) => move(sale, to)} bare />}
    </div>
  );
}
