import type { Projection } from '#event-store/projection.js';
import type { Kind } from '#event-store/rebuild.js';
import type { Upcasters } from '#event-store/upcast.js';

/** What operators see and rebuild: a projection, and whether its rows are written with the events or after them. */
export interface ReadModel {
  projection: Projection;
  kind: Kind;
}

/** All read models of the product, and how old events are read for them. */
export class ReadModels {
  constructor(
    readonly all: ReadModel[],
    readonly upcasters: Upcasters,
  ) {}

  /** Those made from the feed afterwards. */
  get asynchronous(): Projection[] {
    return this.all.filter(({ kind }) => kind === 'async').map(({ projection }) => projection);
  }
}
