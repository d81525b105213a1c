import { setTimeout as sleep } from 'node:timers/promises';
import { systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { now, plusSeconds } from '#kernel/instant.js';
import { contacts } from '../../src/crm/crm.projection.js';
import { contactCreated, newContactId } from '../../test/support/data/contacts.js';
import { rawAppend } from '../../test/support/database/raw-append.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { appendTo, NEW } from './append.js';
import { EventStore } from './event-store.js';
import { drawLine, isDrawnOften } from './lines.js';

let test: TestDatabase;
let store: EventStore;

beforeAll(async () => {
  test = await testDatabase();
  store = new EventStore(test.database, {});
});

afterAll(() => test.close());

const organization = () => newId('org');
const added = (organizationId: string, id = newContactId()) =>
  store.append(systemContext(organizationId), [appendTo(contacts, id, NEW, [contactCreated(id)])]);
const raw = (organizationId: string) =>
  rawAppend(organizationId, [
    { id: newContactId(), type: 'contact', expected: 0, events: [contactCreated('x')] },
  ]);

describe('the line of an organization', () => {
  it('is drawn only once what is being written is committed', async () => {
    const organizationId = organization();
    let drawing: Promise<string> | undefined;
    let drawn: string | undefined;
    const writing = test.database.transaction(async (tx) => {
      await tx.query(raw(organizationId));
      drawing = drawLine(test.database, organizationId).then((line) => (drawn = line));
      await sleep(200);
      return drawn;
    });
    expect(await writing).toBeUndefined();
    const line = await drawing!;
    expect(line < (await drawLine(test.database, organizationId))).toBe(true);
  });

  it('refuses events that are not after it', async () => {
    const organizationId = organization();
    const early = raw(organizationId);
    await drawLine(test.database, organizationId);
    await expect(test.database.query(early)).rejects.toMatchObject({ code: 'PE006' });
    await test.database.query(raw(organizationId));
  });

  it('is followed by what a process records whose clock is behind, alone, together, and under a lock', async () => {
    const organizationId = organization();
    await test.database.query({
      text: `INSERT INTO es_line VALUES ($1, $2)`,
      values: [organizationId, plusSeconds(now(), 3_600)],
    });
    const line = await drawLine(test.database, organizationId);
    const [alone] = await added(organizationId);
    const together = (await Promise.all([added(organizationId), added(organizationId)])).flat();
    const id = newContactId();
    const [locked] = await store.exclusively(organizationId, [id], (tx) =>
      store.appendIn(tx, systemContext(organizationId), [appendTo(contacts, id, NEW, [contactCreated(id)])]),
    );
    for (const change of [alone!, ...together, locked!]) {
      expect(change.events[0]!.occurred_at > line).toBe(true);
      expect(change.state).toMatchObject({ updated_at: change.events[0]!.occurred_at });
    }
  });

  it('refuses no append for good, however many readers draw one after the other', async () => {
    const organizationId = organization();
    let isWriting = true;
    const readers = Array.from({ length: 6 }, async () => {
      while (isWriting) await drawLine(test.database, organizationId);
    });
    const underLock = (id = newContactId()) =>
      store.exclusively(organizationId, [id], (tx) =>
        store.appendIn(tx, systemContext(organizationId), [
          appendTo(contacts, id, NEW, [contactCreated(id)]),
        ]),
      );
    const writer = async () => {
      for (let nr = 0; nr < 40; nr++) await (nr % 2 === 0 ? added(organizationId) : underLock());
    };
    try {
      await Promise.all(Array.from({ length: 8 }, writer));
    } finally {
      isWriting = false;
      await Promise.all(readers);
    }
  });

  it('lets no append wait for a stream that another one wants, also where readers draw it often', async () => {
    const organizationId = organization();
    const heldId = newContactId();
    // Each append that is met by a line has the next ones take their locks first.
    let isMet = false;
    while (!isMet) {
      const drawing = drawLine(test.database, organizationId);
      await Promise.all([drawing, added(organizationId)]);
      isMet = isDrawnOften(organizationId);
    }
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isHeld!: () => void;
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    const holding = store.exclusively(organizationId, [heldId], async (tx) => {
      await tx.query({ text: 'SELECT 1' });
      isHeld();
      await released;
    });
    await held;
    const waiting = added(organizationId, heldId);
    await added(organizationId);
    release();
    await Promise.all([holding, waiting]);
  });

  it('is another one for each organization', async () => {
    const [one, other] = [organization(), organization()];
    const early = raw(other);
    await drawLine(test.database, one);
    await test.database.query(early);
  });
});
