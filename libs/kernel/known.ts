/** Characters of names that a refusal lists at most. */
const LONGEST = 4_000;

/** Tells which names there are, for whoever has given another: `known are agent_id, limit`, in alphabetical order. */
export function known(names: Iterable<string>): string {
  const all = [...new Set(names)].sort();
  if (all.length === 0) return 'there are none';
  let length = 0;
  const listed = all.filter((name) => (length += name.length + 2) <= LONGEST);
  const more = all.length > listed.length ? ` and ${all.length - listed.length} more` : '';
  return `known are ${listed.join(', ')}${more}`;
}

/** Refused fields that are told which names are known: a body may have a thousand that are not. */
const MOST_TOLD = 20;

/** Words the refusals of names that nobody knows, the first of them with the names that are known. */
export class UnknownNames {
  private told = 0;

  /** `refusal` is what each is told, such as `is not a known field`. */
  constructor(private readonly refusal: string) {}

  detail(names: Iterable<string>): string {
    return this.told++ < MOST_TOLD ? `${this.refusal}; ${known(names)}` : this.refusal;
  }
}
