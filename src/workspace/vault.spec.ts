import { randomBytes } from 'node:crypto';
import { Vault } from './vault.js';

describe('vault', () => {
  const vault = new Vault(randomBytes(32));
  const box = vault.seal({ password: 'hunter2' }, 'channel_1');

  it('opens what it sealed', () => expect(vault.open(box, 'channel_1')).toEqual({ password: 'hunter2' }));

  it('does not hold the secret in the clear', () => expect(box.toString('latin1')).not.toContain('hunter2'));

  it('refuses a box that is bound to something else, was changed, or was sealed under another key', () => {
    const changed = Buffer.from(box);
    changed[changed.length - 1]! ^= 1;
    expect(() => vault.open(box, 'channel_2')).toThrow();
    expect(() => vault.open(changed, 'channel_1')).toThrow();
    expect(() => new Vault(randomBytes(32)).open(box, 'channel_1')).toThrow(/PARLEY_SECRET_KEY/);
    expect(vault.openIfOurs(box, 'channel_2')).toBeNull();
  });
});
