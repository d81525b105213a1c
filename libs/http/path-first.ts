import type { Aggregate } from '#event-store/aggregate.js';
import type { EventStore } from '#event-store/event-store.js';

/**
 * Makes the handler for a `catch` after reading a body: it throws `missing()` if the record that the path names is not there,
 * else the error of the body. So the path is judged first, and a good request pays nothing for it.
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
