import type { StoredEvent } from '#kernel/context.js';
import type { DomainEvent } from '#kernel/decider.js';
import type { Reader } from '#database/statements/statement.js';
import { type Aggregate, fold } from './aggregate.js';
import { readStreams } from './read-streams.js';
import { loadRows } from './rows.js';
import type { Upcasters } from './upcast.js';

/**
 * The states that events of one organization leave, by stream; null of one that is no more. `told` holds the latest events
 * of each stream. A row that is of the last event's version is that state, however long the stream is. One that is not, as
 * more has happened since, is folded from all events of its stream.
 */
export async function statesAfter<State extends object, Event extends DomainEvent>(
  reader: Reader,
  aggregate: Aggregate<State, Event>,
  organizationId: string,
  told: (readonly [streamId: string, events: StoredEvent[]])[],
  upcasters: Upcasters,
): Promise<Map<string, State | null>> {
  const versions = new Map(told.map(([id, events]) => [id, events.at(-1)!.version]));
  if (versions.size === 0) return new Map();
  const rows = await loadRows<State>(reader, aggregate.row, organizationId, [...versions.keys()]);
  const states = new Map([...rows].map(([id, { state }]) => [id, state]));
  const others = [...versions.keys()].filter((id) => rows.get(id)?.version !== versions.get(id));
  if (others.length > 0)
    for (const stream of await readStreams(reader, organizationId, others, upcasters)) {
      const id = stream[0]!.stream_id;
      const until = stream.filter(({ version }) => version <= versions.get(id)!);
      states.set(id, fold(aggregate, until));
    }
  return states;
}
