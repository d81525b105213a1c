import {
  type Primary,
  type Standby,
  startPrimary,
  startStandby,
} from '../../test/support/database/standby.js';
import { until } from '../../test/support/until.js';
import { openDatabase } from './data-source.js';
import type { Database } from './database.js';
import { Servers } from './servers.js';

let primary: Primary;
let standby: Standby;

beforeAll(async () => {
  primary = await startPrimary();
  standby = await startStandby(primary);
});

afterAll(async () => {
  await standby.close();
  await primary.close();
});

/** The URL of the primary with these hosts, and what follows it. */
const naming = (hosts: string[], after = '') =>
  primary.url.replace(new URL(primary.url).host, hosts.join(',')) + after;
const opened = (url: string): Promise<Database> =>
  openDatabase({ url, poolSize: 3, entities: [], migrations: [] });
const portOf = async (database: Database): Promise<string> => {
  const [row] = await database.query<{ port: string }>({ text: 'SHOW port' });
  return row!.port;
};
const port = (host: string) => new URL(`tcp://${host}`).port;

const NOBODY = '127.0.0.1:1';

it.each([
  ['first', () => [primary.host, standby.host]],
  ['last', () => [NOBODY, standby.host, primary.host]],
])('the server that takes writes is used, named %s', async (_, hosts) => {
  const database = await opened(naming(hosts()));
  expect(await portOf(database)).toBe(port(primary.host));
  await database.close();
});

it('a server that takes none is used where any will do', async () => {
  const database = await opened(naming([NOBODY, standby.host], '?target_session_attrs=any'));
  expect(await portOf(database)).toBe(port(standby.host));
  await database.close();
});

it('says of each server why it is not used', async () => {
  await expect(opened(naming([NOBODY, standby.host]))).rejects.toThrow(
    `none of the servers takes writes (${NOBODY}: connect ECONNREFUSED ${NOBODY}; ${standby.host}: it is a read-only replica)`,
  );
});

it('connections of all kinds follow to the server that takes over, and those to the other one end', async () => {
  const database = await opened(naming([primary.host, standby.host]));
  const moves: string[] = [];
  database.direct.onMove = (from, to) => void moves.push(`${from} ${to}`);
  const beside = await database.connect();
  let hasEnded = false;
  beside.once('end', () => (hasEnded = true));
  await primary.kill();
  await standby.promote();
  await until(() =>
    portOf(database).then(
      (found) => found === port(standby.host),
      () => false,
    ),
  );
  expect(moves).toEqual([`${primary.host} ${standby.host}`]);
  expect(hasEnded).toBe(true);
  const other = await database.connect();
  expect((await other.query('SHOW port')).rows).toEqual([{ port: port(standby.host) }]);
  await other.end();
  await database.close();

  await primary.restart();
  const servers = new Servers(naming([primary.host, standby.host]));
  await servers.look();
  expect(servers.url).toContain(standby.host);
});
