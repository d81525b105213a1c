import { Client } from 'pg';
import { EventStore } from '#event-store/event-store.js';
import { AT_COMMAND_LINE } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { type TestDatabase, testDatabase } from '../../test/support/database/postgres.js';
import { channelSetupOn } from './channel-setup.js';

let db: TestDatabase;
let client: Client;
beforeAll(async () => {
  db = await testDatabase();
  client = new Client({ connectionString: db.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await db.close();
});

describe('a channel', () => {
  it('is set up for no organization that does not exist', async () => {
    const channels = channelSetupOn(new EventStore(db.database, {}), Buffer.alloc(32), 'http://localhost');
    const settings = { provider: 'smtp', host: '127.0.0.1', port: 25, from_address: 'a@acme.example' };
    await expect(channels.put(AT_COMMAND_LINE, newId('org'), 'email', settings)).rejects.toMatchObject({
      status: 404,
      code: 'organization_not_found',
    });
    const { rows } = await client.query('SELECT FROM channel');
    expect(rows).toEqual([]);
  });
});
