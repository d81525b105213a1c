import { jest } from '@jest/globals';
import { WorkspaceCache } from './workspace.cache.js';
import type { WorkspaceQueries } from './workspace.queries.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const database = { onPrimary: <Found>(load: () => Promise<Found>) => load() };

/** A cache that polls a version which is `told`, or never comes while that is null. */
async function polling() {
  const version = { told: '1' as string | null, closed: 0 };
  let cutOff: (error: Error) => void = () => {};
  const queries = {
    database,
    version: () =>
      new Promise((resolve, reject) => {
        cutOff = reject;
        if (version.told !== null) resolve(version.told);
      }),
    close() {
      version.closed++;
      cutOff(new Error('ended'));
    },
  } as unknown as WorkspaceQueries;
  const cache = new WorkspaceCache(queries);
  await cache.onModuleInit();
  await cache.get('key', () => Promise.resolve('value'));
  return { cache, version };
}

describe('the configuration in memory', () => {
  it('is kept while its version stays the same', async () => {
    const { cache } = await polling();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(cache.kept('key')).toBe('value');
  });

  it('is given up when its version changes', async () => {
    const { cache, version } = await polling();
    version.told = '2';
    await jest.advanceTimersByTimeAsync(500);
    expect(cache.kept('key')).toBeUndefined();
  });

  it('is not trusted a second after its version was last asked for that is known', async () => {
    const { cache, version } = await polling();
    version.told = null;
    await jest.advanceTimersByTimeAsync(800);
    expect(cache.kept('key')).toBe('value');
    await jest.advanceTimersByTimeAsync(200);
    expect(cache.kept('key')).toBeUndefined();
  });

  it('is not trusted before its version is known', async () => {
    const queries = {
      database,
      version: () => Promise.reject(new Error('away')),
    } as unknown as WorkspaceQueries;
    const cache = new WorkspaceCache(queries);
    await cache.onModuleInit();
    await cache.get('key', () => Promise.resolve('value'));
    expect(cache.kept('key')).toBeUndefined();
  });

  it('is asked about on another connection when one says nothing for seconds', async () => {
    const { cache, version } = await polling();
    version.told = null;
    await jest.advanceTimersByTimeAsync(7_000);
    expect(version.closed).toBe(1);
    version.told = '1';
    await jest.advanceTimersByTimeAsync(5_500);
    await cache.get('key', () => Promise.resolve('anew'));
    expect(cache.kept('key')).toBe('anew');
  });
});
