const PREFIX = 'parley-unsaved';
/** Shorter than the half second that may be lost with the tab. */
const PAUSE_MS = 300;

/** Of whom and of what a text is. */
export const unsavedKey = (...of: string[]): string => [PREFIX, ...of].join(' ');

interface Entry<T> {
  /** Milliseconds. */
  at: number;
  value: T;
}

/**
 * What people are writing, in a storage of the browser that outlives the page, its session and the server's answers. The storage is
 * asked for each time, as some browsers refuse it.
 */
export class UnsavedTexts {
  private readonly waiting = new Map<string, string>();
  /** As this page has last read or put it. */
  private readonly known = new Map<string, string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly storage: () => Storage) {}

  read<T>(key: string): T | null {
    try {
      const text = this.waiting.get(key) ?? this.storage().getItem(key);
      if (text === null) return null;
      this.known.set(key, text);
      return (JSON.parse(text) as Entry<T>).value;
    } catch {
      return null;
    }
  }

  /** Puts it within the pause, also while one goes on typing. */
  keep(key: string, value: unknown): void {
    this.waiting.set(key, JSON.stringify({ at: new Date().getTime(), value }));
    this.timer ??= setTimeout(() => this.put(), PAUSE_MS);
  }

  /** Puts what waits at once: the page may be gone in a moment. */
  put(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [key, text] of this.waiting) this.putOne(key, text);
    this.waiting.clear();
  }

  /** What another page has put meanwhile stays. */
  drop(key: string): void {
    this.waiting.delete(key);
    try {
      if (this.storage().getItem(key) === this.known.get(key)) this.storage().removeItem(key);
    } catch {
      // This browser keeps nothing.
    }
    this.known.delete(key);
  }

  private putOne(key: string, text: string): void {
    try {
      for (;;) {
        if (this.fits(key, text)) return void this.known.set(key, text);
        const oldest = this.oldestBut(key);
        if (oldest === undefined) return;
        this.storage().removeItem(oldest);
      }
    } catch {
      // This browser keeps nothing.
    }
  }

  private fits(key: string, text: string): boolean {
    try {
      this.storage().setItem(key, text);
      return true;
    } catch {
      return false;
    }
  }

  private oldestBut(key: string): string | undefined {
    const storage = this.storage();
    const at = (one: string) => (JSON.parse(storage.getItem(one)!) as Entry<unknown>).at;
    return Array.from({ length: storage.length }, (_, index) => storage.key(index)!)
      .filter((one) => one.startsWith(`${PREFIX} `) && one !== key)
      .sort((one, other) => at(one) - at(other))[0];
  }
}
