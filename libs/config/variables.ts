export type Environment = Record<string, string | undefined>;

/**
 * Reads environment variables one by one and collects what is wrong in `problems`, by name. An empty variable counts as
 * left out.
 */
export class Variables {
  readonly problems: string[] = [];

  constructor(private readonly env: Environment) {}

  /** `parse` gives undefined for unusable text; `expected` says what is usable. */
  read<Value>(
    name: string,
    fallback: Value,
    parse: (text: string) => Value | undefined,
    expected: string,
    { isSecret = false } = {},
  ): Value {
    const text = this.env[name];
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value !== undefined) return value;
    // Problems are printed and logged, so they must not show secrets.
    this.problems.push(`${name}: ${expected}${isSecret ? '' : `, not ${JSON.stringify(text)}`}`);
    return fallback;
  }

  text(name: string, fallback: string): string {
    return this.read(name, fallback, (text) => text, '');
  }

  /** Text that no problem may show. */
  secret(name: string, isValid: (text: string) => boolean, expected: string): string | null {
    return this.read<string | null>(name, null, (text) => (isValid(text) ? text : undefined), expected, {
      isSecret: true,
    });
  }

  /** A whole number from `min` to `max`. */
  integer<Fallback extends number | null>(
    name: string,
    fallback: Fallback,
    min: number,
    max: number,
  ): Fallback | number {
    return this.read<Fallback | number>(
      name,
      fallback,
      (text) => wholeNumber(text, min, max),
      `must be a whole number from ${min} to ${max}`,
    );
  }

  /** A URL by one of these protocols (`https:`); it may hold a password. */
  url(name: string, protocols: string[]): string | null {
    const beginnings = protocols.map((protocol) => `${protocol}//`).join(' or ');
    return this.secret(name, (text) => isUrl(text, protocols), `must be a URL starting with ${beginnings}`);
  }

  oneOf<Word extends string>(name: string, fallback: Word, words: readonly Word[]): Word {
    return this.read<Word>(
      name,
      fallback,
      (text) => words.find((word) => word === text),
      `must be one of ${words.join(', ')}`,
    );
  }

  /** A variable that must be set when `by` is set. */
  required(name: string, by: string): string {
    const text = this.text(name, '');
    if (text === '') this.problems.push(`${name}: must be set where ${by} is`);
    return text;
  }
}

export const isUrl = (text: string, protocols: string[]): boolean =>
  URL.canParse(text) && protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`));

function wholeNumber(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= max ? value : undefined;
}
