import { newId } from '#kernel/id.js';
import { type TestDatabase, testDatabase } from '../../test/support/postgres.js';
import { channelsOn } from './channels.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

describe('a channel', () => {
  it('is set up for no organization that does not exist', async () => {
    const channels = channelsOn(db.database, Buffer.alloc(32), 'http://localhost');
    const settings = { provider: 'smtp', host: '127.0.0.1', port: 25, from_address: 'a@acme.example' };
    await expect(channels.put(newId('org'), 'email', settings)).rejects.toMatchObject({
      status: 404,
      code: 'organization_not_found',
    });
    expect(await channels.organizationOfAddress('a@acme.example')).toBeNull();
  });
});
