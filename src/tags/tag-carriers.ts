import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '#kernel/decider.js';
import type { Tagged, TagsChange } from '#kernel/tags.js';
import type { Aggregate } from '#event-store/aggregate.js';

/** Kinds of records that can have tags. */
export type CarrierKind = 'company' | 'contact' | 'conversation' | 'sale';

/** One kind of record that can have tags: its rows have them in `tags`, and their ids in `tag_ids`. */
export interface TagCarrier<State extends Tagged, Event extends DomainEvent> {
  kind: CarrierKind;
  /** What its ids begin with. */
  idKind: string;
  aggregate: Aggregate<State, Event>;
  /** The event by which the tags of one change; its data are a `TagsChange`. */
  event: Extract<Event, { data: TagsChange }>['type'];
  /** The 404 for one that is not there. */
  missing: (organizationId: string, id: string) => Promise<Error> | Error;
}

export type AnyCarrier = TagCarrier<Tagged, DomainEvent>;

/** What can have tags: each context tells of its own records. */
@Injectable()
export class TagCarriers {
  private readonly carriers: AnyCarrier[] = [];

  add<State extends Tagged, Event extends DomainEvent>(carrier: TagCarrier<State, Event>): void {
    this.carriers.push(carrier as unknown as AnyCarrier);
  }

  of(kind: CarrierKind): AnyCarrier {
    const carrier = this.carriers.find((one) => one.kind === kind);
    if (!carrier) throw new Error(`nobody tells of records of the kind ${kind}`);
    return carrier;
  }

  /** All of them, in the order of their ids. */
  all(): AnyCarrier[] {
    return this.carriers.toSorted((one, other) => (one.idKind < other.idKind ? -1 : 1));
  }
}
