import type { Aggregate } from '#event-store/aggregate.js';
import type { EventStore } from '#event-store/event-store.js';

/**
 * For `catch` behind the reading of a body: throws what is wrong with it, or where the record that the path names is not
 * there, `missing()`. It is only looked for then, so that the path is judged first at no cost where all is well.
 */
export const pathFirst =
  <State extends object>(
    store: EventStore,
    organizationId: string,
    aggregate: Aggregate<State, never>,
    id: string,
    missing: () => Error | Promise<Error>,
  ) =>
  async (error: unknown): Promise<never> => {
    const { state } = await store.load(store.database, organizationId, aggregate, id);
    throw state ? error : await missing();
  };
