import type { Revision, SaleEvent, StatusEvent } from '../sales/sales.contract.js';

/** What the figures need of a sale; also where its fold goes on with later events. */
export interface SaleFacts {
  sale_id: string;
  owner_id: string | null;
  created_at: string;
  /** The latest quote's; both null without one. */
  currency: string | null;
  total_price: string | null;
  associated_conversation_ids: string[];
  status_history: StatusEvent[];
}

/** The time a sale spends in a stage, from first entering it; `left_at` is null while it is there. */
export interface Stay {
  status_id: string;
  entered_at: string;
  left_at: string | null;
}

/** The sale's facts after an event. */
export function foldSale(facts: SaleFacts | null, event: SaleEvent): SaleFacts | null {
  if (event.type === 'SaleOpened') return opened(event.data);
  if (!facts) return null;
  switch (event.type) {
    case 'SaleStageChanged': {
      const { revision = {}, ...entered } = event.data;
      return { ...revised(facts, revision), status_history: [...facts.status_history, entered] };
    }
    case 'SaleRevised':
      return revised(facts, event.data);
    case 'SaleQuoted': {
      const { currency, total_price } = event.data.quote_details.output;
      return { ...facts, currency, total_price };
    }
    case 'SaleContacted':
      return facts;
  }
}

const revised = (
  facts: SaleFacts,
  { owner_id, associated_conversation_ids }: Pick<Revision, 'owner_id' | 'associated_conversation_ids'>,
): SaleFacts => ({
  ...facts,
  ...(owner_id !== undefined && { owner_id }),
  ...(associated_conversation_ids !== undefined && { associated_conversation_ids }),
});

type Opened = Extract<SaleEvent, { type: 'SaleOpened' }>['data'];

const opened = ({
  sale_id,
  owner_id,
  created_at,
  associated_conversation_ids,
  stage,
}: Opened): SaleFacts => ({
  sale_id,
  owner_id,
  created_at,
  currency: null,
  total_price: null,
  associated_conversation_ids,
  status_history: [{ ...stage, changed_at: created_at }],
});

/**
 * One stay per stage. A stage that is entered again while the sale is in it begins a new stay where the last one
 * ends; the two overlap the same windows as one that takes the time of both.
 */
export function staysOf({ status_history }: SaleFacts): Stay[] {
  const stays = new Map<string, Stay>();
  status_history.forEach(({ status_id, changed_at }, index) => {
    const left_at = status_history[index + 1]?.changed_at ?? null;
    stays.set(status_id, { status_id, entered_at: stays.get(status_id)?.entered_at ?? changed_at, left_at });
  });
  return [...stays.values()];
}

/** When the sale first entered a stage so tagged then, or with `label` one that was so labelled; null when it never did. */
export function firstEntered(
  { status_history }: SaleFacts,
  { tag, label }: { tag: string; label?: string },
): string | null {
  return status_history.find((entry) => entry.status === tag || entry.label === label)?.changed_at ?? null;
}
