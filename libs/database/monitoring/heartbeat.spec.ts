import { setTimeout as sleep } from 'node:timers/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { until } from '../../../test/support/until.js';
import type { Database } from '../database.js';
import { openDatabase } from '../data-source.js';
import { Servers } from '../servers.js';
import { Heartbeat } from './heartbeat.js';

let test: TestDatabase;
let wire: Server;
let database: Database;
let heartbeat: Heartbeat;
const sockets: Socket[] = [];
const warnings: string[] = [];
let isFrozen = false;

const wireHost = () => `127.0.0.1:${(wire.address() as AddressInfo).port}`;

/** A wire to the database that can be frozen: then it carries nothing any more and breaks nothing. */
beforeEach(async () => {
  test = await testDatabase();
  const { hostname, port } = new URL(test.url);
  wire = createServer((near) => {
    const far = connect(Number(port), hostname);
    sockets.push(near, far);
    near.on('data', (bytes) => !isFrozen && far.write(bytes)).on('error', () => far.destroy());
    far.on('data', (bytes) => !isFrozen && near.write(bytes)).on('error', () => near.destroy());
    near.on('close', () => far.destroy());
  });
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
  const url = Object.assign(new URL(test.url), { host: wireHost() });
  database = await openDatabase({ url: url.href, poolSize: 3, entities: [], migrations: [] });
  heartbeat = new Heartbeat(database, { warn: (text) => warnings.push(text) }, 10);
  await heartbeat.check();
});

afterEach(async () => {
  isFrozen = false;
  heartbeat.stop();
  for (const socket of sockets.splice(0)) socket.destroy();
  await database.close();
  wire.close();
  await test.close();
  warnings.splice(0);
});

describe('the heartbeat of the database', () => {
  it('ends what waits for a server that is frozen, and all works when it is back', async () => {
    const answers = () => Promise.allSettled([1, 2].map(() => database.query({ text: 'SELECT 1 AS one' })));
    await answers();
    isFrozen = true;
    const waiting = answers();
    await heartbeat.check();
    for (const outcome of await waiting)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'ETIMEDOUT' } });
    expect(warnings).toHaveLength(1);

    isFrozen = false;
    expect(await database.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
    await heartbeat.check();
    expect(warnings).toHaveLength(1);
  });

  it('ends connections beside the pool, too', async () => {
    const beside = await database.connect();
    const waiting = until(() => isFrozen).then(() => beside.query('SELECT 1'));
    isFrozen = true;
    await Promise.all([
      expect(waiting).rejects.toMatchObject({ code: 'ETIMEDOUT' }),
      sleep(50).then(() => heartbeat.check()),
    ]);
  });

  describe('where the pool goes through a pooler', () => {
    let pooled: Database;
    let other: Heartbeat;
    beforeEach(async () => {
      const url = Object.assign(new URL(test.url), { host: wireHost() }).href;
      const direct = new Servers(test.url);
      pooled = await openDatabase({ url, direct, poolSize: 3, entities: [], migrations: [] });
      other = new Heartbeat(pooled, { warn: (text) => warnings.push(text) }, 10);
      await other.check();
    });
    afterEach(async () => {
      other.stop();
      for (const socket of sockets.splice(0)) socket.destroy();
      await pooled.close();
    });

    it('ends what waits for a pooler that is frozen while the server is not', async () => {
      isFrozen = true;
      const waiting = pooled.query({ text: 'SELECT 1' });
      await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'ETIMEDOUT' }), other.check()]);
      expect(warnings).toHaveLength(1);
    });
  });

  it('lets a statement take as long as it takes while the server answers others', async () => {
    const slow = database.query({ text: `SELECT 'done' AS slow FROM pg_sleep(2)` });
    await heartbeat.check();
    expect(await slow).toEqual([{ slow: 'done' }]);
    expect(warnings).toEqual([]);
  });

  it('has nothing to end where the server refuses to be asked', async () => {
    for (const socket of sockets) socket.destroy();
    wire.close();
    await heartbeat.check();
    await heartbeat.check();
    expect(warnings).toEqual([]);
  });
});
