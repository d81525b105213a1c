import type { StoredEvent } from '#kernel/context.js';
import type { DomainEvent } from '#kernel/decider.js';
import type { Reader } from '#database/statements/statement.js';
import type { Aggregate } from '#event-store/aggregate.js';
import { groupBy } from '#event-store/group-by.js';
import { loadRows } from '#event-store/rows.js';
import { statesAfter } from '#event-store/states-after.js';
import type { Upcasters } from '#event-store/upcast.js';
import type { SearchDocument } from './search-document.js';

/** What becomes of a record's document; null where it is no more, or not to be found. */
export type Documents = Map<string, SearchDocument | null>;

/** Where search gets the records of one kind of stream from. */
export interface SearchSource {
  streamType: string;
  /** What the ids of its records begin with. */
  idKinds: string[];
  /** The documents that these events of one organization change, in feed order, as the events leave them. */
  changed(
    reader: Reader,
    organizationId: string,
    events: StoredEvent[],
    upcasters: Upcasters,
  ): Promise<Documents>;
  /** The documents as the records are now; those that are no more are left out. */
  present(reader: Reader, organizationId: string, ids: string[]): Promise<Map<string, SearchDocument>>;
}

/** A source whose records are the states of an aggregate. */
export function recordsOf<State extends object, Event extends DomainEvent>({
  aggregate,
  idKinds,
  documentOf,
  unchangedBy = [],
}: {
  aggregate: Aggregate<State, Event>;
  idKinds: string[];
  documentOf: (state: State) => SearchDocument | null;
  /** Events that change no document. */
  unchangedBy?: Event['type'][];
}): SearchSource {
  return {
    streamType: aggregate.streamType,
    idKinds,
    async changed(reader, organizationId, events, upcasters) {
      const told = groupBy(events, ({ stream_id }) => stream_id).filter(([, own]) =>
        own.some(({ type }) => !(unchangedBy as string[]).includes(type)),
      );
      const states = await statesAfter(reader, aggregate, organizationId, told, upcasters);
      return new Map([...states].map(([id, state]) => [id, state && documentOf(state)]));
    },
    async present(reader, organizationId, ids) {
      const states = await loadRows<State>(reader, aggregate.row, organizationId, ids);
      const documents = [...states].map(([id, { state }]) => [id, state && documentOf(state)] as const);
      return new Map(documents.flatMap(([id, document]) => (document ? [[id, document]] : [])));
    },
  };
}
