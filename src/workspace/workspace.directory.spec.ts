import { newId } from '#kernel/id.js';
import { mintApiKey } from './api-key.js';
import type { KeyUsage } from './key-usage.js';
import { WorkspaceCache } from './workspace.cache.js';
import { Directory } from './workspace.directory.js';
import type { WorkspaceQueries } from './workspace.queries.js';

const keyId = newId('key');
const { apiKey, hash } = mintApiKey(keyId);

/** A directory over one key, and how often that was read. */
function given() {
  const read: string[] = [];
  const queries = {
    database: { onPrimary: <Found>(load: () => Promise<Found>) => load() },
    async apiKey(id: string) {
      read.push(id);
      return {
        key_id: keyId,
        organization_ids: ['org_1'],
        agent_id: null,
        secret_hash: hash,
        revoked_at: null,
        expires_at: null,
      };
    },
  } as unknown as WorkspaceQueries;
  const cache = new WorkspaceCache(queries);
  return { directory: new Directory(cache, queries, { note() {} } as unknown as KeyUsage), cache, read };
}

describe('the check of an API key', () => {
  it('costs a query once, and none until the configuration changes', async () => {
    const { directory, cache, read } = given();
    expect(await directory.verify(apiKey)).toMatchObject({ keyId });
    for (let nr = 0; nr < 100; nr++) expect(directory.verify(apiKey)).toMatchObject({ keyId });
    expect(read).toEqual([keyId]);

    cache.clear();
    expect(await directory.verify(apiKey)).toMatchObject({ keyId });
    expect(read).toEqual([keyId, keyId]);
  });

  it('costs no query when the key is mistyped', async () => {
    const { directory, read } = given();
    expect(await directory.verify(`${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`)).toBeNull();
    expect(read).toEqual([]);
  });
});
