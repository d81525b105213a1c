import { newId } from '#kernel/id.js';
import { mintApiKey, readApiKey, sameHash } from './api-key.js';

describe('API key', () => {
  const keyId = newId('key');
  const { apiKey, hash } = mintApiKey(keyId);

  it('is read back as its id and the hash of its secret', () => {
    const read = readApiKey(apiKey);
    expect(read?.keyId).toBe(keyId);
    expect(sameHash(read!.hash, hash)).toBe(true);
  });

  it('holds 160 bits of secret and never repeats', () => {
    expect(apiKey).toMatch(/^parley_[0-9a-z]{26}_[0-9a-z]{32}_[0-9a-f]{8}$/);
    expect(mintApiKey(keyId).apiKey).not.toBe(apiKey);
  });

  it('is refused when any one character is mistyped', () => {
    for (let index = 0; index < apiKey.length; index++) {
      const typo = apiKey[index] === 'a' ? 'b' : 'a';
      expect(readApiKey(apiKey.slice(0, index) + typo + apiKey.slice(index + 1))).toBeNull();
    }
  });
});
