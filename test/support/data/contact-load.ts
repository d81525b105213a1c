import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#kernel/context.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import { type EventStore } from '#event-store/event-store.js';
import { contacts } from '../../../src/crm/crm.projection.js';
import { contactCreated, newContactId, renamed } from './contacts.js';
import { randomFrom, type Random } from '../random.js';

/** What happened so far under the load. */
interface ContactLoad {
  /** The latest version of each contact that a writer was told of. */
  acknowledged: Map<string, number>;
  /** How often rows were read. */
  reads(): number;
}

/** Creates `count` contacts with `events` events each. */
export async function seedContacts(store: EventStore, context: Context, count: number, events: number) {
  const ids = Array.from({ length: count }, newContactId);
  for (let from = 0; from < count; from += 500)
    await store.append(
      context,
      ids.slice(from, from + 500).map((id): Append => history(id, events)),
    );
  return ids;
}

function history(id: string, events: number): Append {
  const later = Array.from({ length: events - 1 }, (_, nr) => ({
    type: 'ContactEmploymentChanged' as const,
    data: { company_id: null, company_role: `role ${nr}` },
  }));
  return appendTo(contacts, id, NEW, [contactCreated(id), ...later]);
}

/**
 * Runs `work` while contacts come into being and change, and are read, in every way the product does; throws the
 * first error that any writer or reader met.
 */
export async function underLoad(
  store: EventStore,
  context: Context,
  ids: string[],
  seed: number,
  work: (load: ContactLoad) => Promise<void>,
): Promise<void> {
  const { organizationId } = context;
  const known = [...ids];
  const acknowledged = new Map<string, number>();
  let running = true;
  let reads = 0;

  const create = async () => {
    const id = newContactId();
    await store.append(context, [appendTo(contacts, id, NEW, [contactCreated(id)])]);
    known.push(id);
    return { id, version: 1 };
  };
  const change = async (random: Random) => {
    const id = random.sample(known, 1)[0]!;
    const { version } = await store.change(context, contacts, id, ({ state }) => [
      renamed(state!, `name ${random.integer(0, 1e9)}`),
    ]);
    return { id, version };
  };
  // Has read the table when it comes to write it, and takes its time in between.
  const changeUnderLock = async (random: Random) => {
    const id = random.sample(known, 1)[0]!;
    return store.exclusively(organizationId, [id], async (tx) => {
      const current = await store.load(tx, organizationId, contacts, id);
      await sleep(random.integer(0, 20));
      const events = [renamed(current.state!, `name ${random.integer(0, 1e9)}`)];
      const [changed] = await store.appendIn(tx, context, [appendTo(contacts, id, current, events)]);
      return { id, version: changed!.version };
    });
  };

  const writer = async (_: unknown, nr: number) => {
    const random = randomFrom(seed + nr);
    while (running) {
      const way = random.sample([create, change, change, changeUnderLock], 1)[0]!;
      const { id, version } = await way(random);
      acknowledged.set(id, Math.max(version, acknowledged.get(id) ?? 0));
      await sleep(random.integer(0, 5));
    }
  };
  const reader = async (_: unknown, nr: number) => {
    const random = randomFrom(seed - nr);
    while (running) {
      const id = random.sample(known, 1)[0]!;
      const told = acknowledged.get(id) ?? 1;
      const { version } = await store.load(store.database, organizationId, contacts, id);
      if (version < told)
        throw new Error(`read version ${version} of ${id}, of which ${told} was acknowledged`);
      reads++;
      await sleep(random.integer(0, 3));
    }
  };

  const all = [...Array.from({ length: 6 }, writer), ...Array.from({ length: 2 }, reader)];
  for (const one of all) one.catch(() => (running = false));
  try {
    await work({ acknowledged, reads: () => reads });
  } finally {
    running = false;
    await Promise.allSettled(all);
  }
  await Promise.all(all);
}
