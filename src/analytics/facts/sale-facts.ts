import type { Instant } from '#kernel/instant.js';
import type { Revision, SaleEvent, StatusEvent } from '../../sales/sales.contract.js';

/** What the figures need to know of a sale. The fold of later events continues from it. */
export interface SaleFacts {
  sale_id: string;
  owner_id: string | null;
  created_at: string;
  /** Of the latest quote; both null without one. */
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
    case 'SaleTagsChanged':
      return facts;
    case 'SaleDeleted':
      return null;
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
 * One stay per stage. A stage entered again while the sale is in it begins another stay where the last one ends; here the
 * two are one, since it overlaps the same windows as both.
 */
export function staysOf({ status_history }: SaleFacts): Stay[] {
  const stays = new Map<string, Stay>();
  status_history.forEach(({ status_id, changed_at }, index) => {
    const left_at = status_history[index + 1]?.changed_at ?? null;
    stays.set(status_id, { status_id, entered_at: stays.get(status_id)?.entered_at ?? changed_at, left_at });
  });
  return [...stays.values()];
}

/** What a sale can have entered: a stage with this tag, or the one labelled Accepted. */
export const ENTERED = ['quoted', 'accepted', 'labelled_accepted'] as const;

export type Entered = (typeof ENTERED)[number];

/** When a sale first entered each of them; null for never. */
export type Entries = Record<`${Entered}_at`, Instant | null>;

/** What the sale has entered. */
export const enteredBy = (sale: Entries): Entered[] => ENTERED.filter((one) => sale[`${one}_at`] !== null);

/** Judged by the stages' tags and labels at the time the sale entered them. */
export function entriesOf({ status_history }: SaleFacts): Entries {
  const first = (isMeant: (entry: StatusEvent) => boolean) =>
    status_history.find(isMeant)?.changed_at ?? null;
  return {
    quoted_at: first(({ status }) => status === 'quoted'),
    accepted_at: first(({ status }) => status === 'accepted'),
    labelled_accepted_at: first(({ status, label }) => status === 'accepted' || label === 'Accepted'),
  };
}
