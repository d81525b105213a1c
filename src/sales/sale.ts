import { changesCustomValues, type CustomValues, mergeCustomValues } from '#kernel/custom-values.js';
import { type Decider, RuleViolation } from '#kernel/decider.js';
import { type ExternalReference, NO_REFERENCE } from '#kernel/external-reference.js';
import { type Instant, plusSeconds } from '#kernel/instant.js';
import type { Decimal } from '#kernel/money.js';
import { type Tagged, type TagsChange, UNTAGGED, withTagsChanged } from '#kernel/tags.js';
import { sameValue } from '#kernel/same.js';

/** A stage of the pipeline as it was named when a sale entered it. */
export interface Stage {
  status_id: string;
  label: string;
  status: string | null;
}

export interface StatusEvent extends Stage {
  changed_at: Instant;
}

export interface AssociatedContact {
  contact_id: string;
  is_primary: boolean;
}

export interface QuoteDetails {
  output: { currency: string; total_price: Decimal };
  arguments: { products: { product_name: string; quantity: number; unit_price: Decimal }[] };
  /** Only when set. */
  agent_overrides?: Record<string, unknown>;
}

/** Whom and what a sale is about. */
interface Associations {
  company_id: string | null;
  owner_id: string | null;
  associated_contacts: AssociatedContact[];
  associated_conversation_ids: string[];
}

/** What a sale is called, and when it is expected to close. */
interface Face {
  name: string | null;
  /** A calendar date, such as `2026-03-31`. */
  expected_close_on: string | null;
}

export interface Sale extends Associations, Face, ExternalReference, Tagged {
  sale_id: string;
  /** The present stage. */
  status_id: string;
  status_history: StatusEvent[];
  quote_details: QuoteDetails | null;
  custom_fields: CustomValues;
  created_at: Instant;
  last_activity_at: Instant;
  /** When it first entered a stage that was tagged `accepted` or `lost` then. */
  closed_at: Instant | null;
  /** None: sales are not merged. */
  merged_external_ids: string[];
}

/** Changed fields: null clears, fields left out stay, custom fields are merged. */
export type Revision = Partial<Associations & Face & ExternalReference> & {
  custom_fields?: CustomValues | null;
};

type Opening = Associations & Partial<Face & ExternalReference> & Pick<Sale, 'sale_id' | 'custom_fields'>;

export type SaleEvent =
  | { type: 'SaleOpened'; data: Opening & { stage: Stage; created_at: Instant } }
  /** With the other changes of the same request, so that it is one event. `closes`: no stage before it closed the sale. */
  | { type: 'SaleStageChanged'; data: StatusEvent & { revision?: Revision; closes?: true } }
  | { type: 'SaleRevised'; data: Revision & { revised_at: Instant } }
  | { type: 'SaleQuoted'; data: { quote_details: QuoteDetails; quoted_at: Instant } }
  | { type: 'SaleContacted'; data: { conversation_id: string; contacted_at: Instant } }
  | { type: 'SaleTagsChanged'; data: TagsChange }
  | { type: 'SaleDeleted'; data: object };

export type SaleCommand =
  | ({ type: 'OpenSale'; stage: Stage; at: Instant } & Opening)
  | { type: 'UpdateSale'; stage: Stage | null; revision: Revision; at: Instant }
  | { type: 'QuoteSale'; quote_details: QuoteDetails; at: Instant }
  /** A message was recorded in a conversation that the sale, or a conversation merged into it, may be linked to. */
  | { type: 'NoteMessage'; conversation_id: string; merged_ids: string[]; at: Instant };

export const sale: Decider<Sale, SaleCommand, SaleEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'OpenSale': {
        const { type: _, at, associated_contacts, ...rest } = command;
        const data = { ...rest, associated_contacts: withPrimary(associated_contacts), created_at: at };
        requireLinkedParty(data);
        return [{ type: 'SaleOpened', data }];
      }
      case 'UpdateSale': {
        if (!state) return [];
        const at = after(state.last_activity_at, command.at);
        const entered = command.stage && enter(state, command.stage, at);
        const revision = revise(state, command.revision);
        if (entered) {
          const first = state.closed_at === null && closes(entered) && { closes: true as const };
          return [
            { type: 'SaleStageChanged', data: { ...entered, ...(revision && { revision }), ...first } },
          ];
        }
        return revision ? [{ type: 'SaleRevised', data: { ...revision, revised_at: at } }] : [];
      }
      case 'QuoteSale': {
        const { quote_details, at } = command;
        if (!state || sameValue(quote_details, state.quote_details)) return [];
        const quoted_at = after(state.last_activity_at, at);
        return [{ type: 'SaleQuoted', data: { quote_details, quoted_at } }];
      }
      case 'NoteMessage': {
        if (!state) return [];
        const { conversation_id, merged_ids } = command;
        const at = after(state.last_activity_at, command.at);
        const ids = state.associated_conversation_ids;
        const followed = [...new Set(ids.map((id) => (merged_ids.includes(id) ? conversation_id : id)))];
        if (!followed.includes(conversation_id)) return [];
        const revision = revise(state, { associated_conversation_ids: followed });
        return revision
          ? [{ type: 'SaleRevised', data: { ...revision, revised_at: at } }]
          : [{ type: 'SaleContacted', data: { conversation_id, contacted_at: at } }];
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'SaleOpened': {
        // Field by field: rest and spread would take longer than everything else here.
        const { data } = event;
        const { stage, created_at } = data;
        return {
          sale_id: data.sale_id,
          company_id: data.company_id,
          owner_id: data.owner_id,
          associated_contacts: data.associated_contacts,
          associated_conversation_ids: data.associated_conversation_ids,
          custom_fields: data.custom_fields,
          status_id: stage.status_id,
          status_history: [{ ...stage, changed_at: created_at }],
          quote_details: null,
          created_at,
          last_activity_at: created_at,
          closed_at: closes(stage) ? created_at : null,
          name: data.name ?? null,
          expected_close_on: data.expected_close_on ?? null,
          external_id: data.external_id ?? null,
          metadata: data.metadata ?? NO_REFERENCE.metadata,
          merged_external_ids: [],
          tags: UNTAGGED.tags,
          tag_ids: UNTAGGED.tag_ids,
        };
      }
      case 'SaleStageChanged': {
        const { revision = {}, closes: _, ...entered } = event.data;
        return (
          state && {
            ...revised(state, revision),
            status_id: entered.status_id,
            status_history: [...state.status_history, entered],
            last_activity_at: entered.changed_at,
            closed_at: state.closed_at ?? (closes(entered) ? entered.changed_at : null),
          }
        );
      }
      case 'SaleRevised': {
        const { revised_at, ...revision } = event.data;
        return state && { ...revised(state, revision), last_activity_at: revised_at };
      }
      case 'SaleQuoted':
        return (
          state && {
            ...state,
            quote_details: event.data.quote_details,
            last_activity_at: event.data.quoted_at,
          }
        );
      case 'SaleContacted':
        return state && { ...state, last_activity_at: event.data.contacted_at };
      case 'SaleTagsChanged':
        return state && { ...state, ...withTagsChanged(state, event.data) };
      case 'SaleDeleted':
        return null;
    }
  },
};

/** Whether a sale that enters the stage is closed by it. */
export const closes = ({ status }: Stage): boolean => status === 'accepted' || status === 'lost';

/** The present stage may be entered again; one that was left may not (contract, Sale pipeline stage). */
function enter(state: Sale, stage: Stage, changed_at: Instant): StatusEvent {
  const used = state.status_history.some(({ status_id }) => status_id === stage.status_id);
  if (used && stage.status_id !== state.status_id)
    throw new RuleViolation(
      'stage_already_used',
      `status_id: the sale has already left the stage ${stage.label} (${stage.status_id})`,
    );
  return { ...stage, changed_at };
}

const revised = (state: Sale, { custom_fields, ...fields }: Revision): Sale => ({
  ...state,
  ...fields,
  ...(custom_fields !== undefined && {
    custom_fields: mergeCustomValues(state.custom_fields, custom_fields),
  }),
});

/** The parts of a revision that change something; null when none does. */
function revise(state: Sale, { custom_fields, ...given }: Revision): Revision | null {
  const fields: Omit<Revision, 'custom_fields'> = {
    ...given,
    ...(given.associated_contacts && { associated_contacts: withPrimary(given.associated_contacts) }),
  };
  requireLinkedParty({ ...state, ...fields });
  const changed: Revision = Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => !sameValue(value, state[field as keyof Sale])),
  );
  if (custom_fields !== undefined && changesCustomValues(state.custom_fields, custom_fields))
    changed.custom_fields = custom_fields;
  return Object.keys(changed).length > 0 ? changed : null;
}

/** Exactly one contact is primary, the first when none is marked. Throws for two primaries and for a contact named twice. */
function withPrimary(contacts: AssociatedContact[]): AssociatedContact[] {
  const problem =
    contacts.filter(({ is_primary }) => is_primary).length > 1
      ? 'at most one contact can be primary'
      : new Set(contacts.map(({ contact_id }) => contact_id)).size < contacts.length
        ? 'each contact can be named only once'
        : null;
  if (problem !== null) throw new RuleViolation('validation_failed', problem, 'associated_contacts');
  if (contacts.some(({ is_primary }) => is_primary)) return contacts;
  return contacts.map((contact, index) => ({ ...contact, is_primary: index === 0 }));
}

function requireLinkedParty({ company_id, associated_contacts }: Associations): void {
  if (!company_id && associated_contacts.length === 0)
    throw new RuleViolation(
      'no_linked_party',
      'A sale needs at least one of company_id and associated_contacts.',
    );
}

/** An event of a sale always sorts after its earlier ones, even when another process's clock was ahead. */
const after = (latest: Instant, at: Instant): Instant => (at > latest ? at : plusSeconds(latest, 1e-6));
