import { jest } from '@jest/globals';
import { unsavedKey, UnsavedTexts } from './unsaved-texts.js';

/** A storage of so many characters. */
class SmallStorage implements Storage {
  [name: string]: unknown;
  private readonly items = new Map<string, string>();

  constructor(private readonly size: number) {}

  get length(): number {
    return this.items.size;
  }
  key(index: number): string | null {
    return [...this.items.keys()][index] ?? null;
  }
  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, text: string): void {
    const others = [...this.items].filter(([name]) => name !== key).flat();
    if ([...others, key, text].join('').length > this.size) throw new Error('QuotaExceededError');
    this.items.set(key, text);
  }
  removeItem(key: string): void {
    this.items.delete(key);
  }
  clear(): void {
    this.items.clear();
  }
}

const [first, second, third] = ['first', 'second', 'third'].map((what) => unsavedKey('org_1', what));

describe('What is being written', () => {
  beforeEach(() => void jest.useFakeTimers({ now: 1 }));
  afterEach(() => void jest.useRealTimers());

  const tabs = (storage: Storage) => () => new UnsavedTexts(() => storage);

  it('is kept within half a second, also while one goes on typing', () => {
    const tab = tabs(new SmallStorage(1_000));
    const here = tab();
    for (const text of ['H', 'He', 'Hel', 'Hell']) {
      here.keep(first!, text);
      jest.advanceTimersByTime(200);
    }
    expect(tab().read(first!)).toBe('Hell');
  });

  it('is kept at once when the page goes', () => {
    const tab = tabs(new SmallStorage(1_000));
    const here = tab();
    here.keep(first!, 'Hello');
    here.put();
    expect(tab().read(first!)).toBe('Hello');
  });

  it('is gone once it is sent, before it was kept and after', () => {
    const tab = tabs(new SmallStorage(1_000));
    const here = tab();
    here.keep(first!, 'Hello');
    here.drop(first!);
    jest.advanceTimersByTime(1_000);
    expect(tab().read(first!)).toBeNull();
    here.keep(first!, 'Hello');
    here.put();
    here.drop(first!);
    expect(tab().read(first!)).toBeNull();
  });

  it('stays where another tab has gone on with it', () => {
    const tab = tabs(new SmallStorage(1_000));
    const [here, there] = [tab(), tab()];
    here.keep(first!, 'Hello');
    here.put();
    expect(there.read(first!)).toBe('Hello');
    there.keep(first!, 'Hello, Ada');
    there.put();
    here.drop(first!);
    expect(tab().read(first!)).toBe('Hello, Ada');
  });

  it('is kept in the place of the oldest where there is no more room', () => {
    const storage = new SmallStorage(200);
    const here = tabs(storage)();
    storage.setItem('parley-signed-in-as', 'key');
    for (const key of [first!, second!, third!]) {
      here.keep(key, 'x'.repeat(20));
      here.put();
      jest.advanceTimersByTime(1);
    }
    expect([first!, second!, third!].map((key) => here.read(key) !== null)).toEqual([false, true, true]);
    expect(storage.getItem('parley-signed-in-as')).toBe('key');
  });

  it('is written on where the browser keeps nothing', () => {
    const here = new UnsavedTexts(() => {
      throw new Error('SecurityError');
    });
    here.keep(first!, 'Hello');
    here.put();
    here.drop(first!);
    expect(here.read(first!)).toBeNull();
  });
});
