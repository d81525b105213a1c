import { ownOf } from './replicas.js';

const servers = ['one', 'other', 'third'].map((server) => ({ server }));
const keys = Array.from({ length: 300 }, (_, nr) => `key_${nr}`);

describe('the replica of a key', () => {
  it('is the same whatever the order of the replicas', () => {
    for (const key of keys) expect(ownOf(key, servers.toReversed())).toBe(ownOf(key, servers));
  });

  it('changes only for the keys of a replica that is left out', () => {
    const [, ...left] = servers;
    for (const key of keys.filter((key) => ownOf(key, servers) !== servers[0]))
      expect(ownOf(key, left)).toBe(ownOf(key, servers));
  });

  it('is any of them, for as many keys each', () => {
    for (const server of servers)
      expect(keys.filter((key) => ownOf(key, servers) === server).length).toBeGreaterThan(70);
  });

  it('is none where none is in use', () => expect(ownOf('key_1', [])).toBeUndefined());
});
