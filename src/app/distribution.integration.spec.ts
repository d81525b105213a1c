import { TENANT_TABLES } from '#database/distribute.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';

/** The tables that stay on the coordinator of a cluster, each with its reason. */
const LOCAL: Record<string, string> = {
  api_key: 'a key may open several organizations, which it is looked up for',
  channel: 'hooks and mails find it by its id or address, which no two organizations share',
  console_session: 'a session is of a key',
  es_checkpoint: 'projections read the feed of all organizations',
  es_rebuild: 'rebuilds are of all organizations',
  migrations: 'of the whole schema',
  pending_index: 'of the whole schema',
  pending_rebuild: 'rebuilds are of all organizations',
  write_position: 'where the log of one server is, by keys that may open several organizations',
  workspace_version: 'one number for all changes of the configuration',
};

let test: TestDatabase;
beforeAll(async () => void (test = await testDatabase()));
afterAll(() => test.close());

it('a cluster distributes every table by its organization, but for those listed', async () => {
  const tenants = await test.database.query<{ name: string }>({ text: TENANT_TABLES });
  const all = await test.database.query<{ name: string }>({
    text: `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
  });
  const distributed = tenants.map(({ name }) => name);
  const local = all.map(({ name }) => name).filter((name) => !distributed.includes(name));
  expect(local.sort()).toEqual(Object.keys(LOCAL).sort());
});

it('a cluster distributes the events last: where they are, everything is', async () => {
  const tenants = await test.database.query<{ name: string }>({ text: TENANT_TABLES });
  expect(tenants.at(-1)?.name).toBe('es_event');
});
