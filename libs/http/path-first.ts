import type { Aggregate } from '#event-store/aggregate.js';
import type { EventStore } from '#event-store/event-store.js';
import { requireExpected } from '#event-store/expectation.js';
import type { Context } from '#kernel/context.js';

/**
 * Makes the handler for a `catch` after reading a body: it throws `missing()` if the record that the path names is not there,
 * `VersionMismatch` if it is not at a version that the context expects, else the error of the body. So path and `If-Match` are
 * judged first, and a good request pays nothing for it.
 */
export const pathFirst =
  <State extends object>(
    store: EventStore,
    context: Context,
    aggregate: Aggregate<State, never>,
    id: string,
    missing: () => Error | Promise<Error>,
  ) =>
  async (error: unknown): Promise<never> => {
    const current = await store.load(store.database, context.organizationId, aggregate, id);
    if (!current.state) throw await missing();
    requireExpected(context, current);
    throw error;
  };
