/** Who can be mentioned. */
export interface Named {
  agent_id: string;
  name: string;
}

/** A comment, with those whom one has chosen from the list. */
export interface Written {
  body: string;
  mentioned: string[];
}

/** What is typed of a name before the cursor, and where its "@" stands. */
export interface Begun {
  at: number;
  letters: string;
}

const BEGUN = /(?<![\p{L}\p{N}])@([\p{L}\p{N}'’.-]*(?: [\p{L}\p{N}'’.-]+)?)$/u;

/** The name that one is typing; null where that is none. */
export function begunName(before: string): Begun | null {
  const found = BEGUN.exec(before);
  return found && { at: found.index, letters: found[1]! };
}

const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Those of whose name a word begins so, the first names first. */
export function whoBeginsSo<One extends Named>(agents: One[], letters: string): One[] {
  const begins = folded(letters);
  const isFirst = ({ name }: One) => folded(name).startsWith(begins);
  const isLater = (one: One) => !isFirst(one) && folded(one.name).includes(` ${begins}`);
  return [...agents.filter(isFirst), ...agents.filter(isLater)];
}

/** Those whom the text names after an "@"; of several by one name, those who were chosen. */
export function mentionsIn({ body, mentioned }: Written, agents: Named[]): string[] {
  const byLength = agents.toSorted((one, other) => other.name.length - one.name.length);
  const found = [...body.matchAll(/@/g)].flatMap(({ index }) => {
    const rest = body.slice(index + 1);
    const name = byLength.find((one) => isWord(rest, one.name))?.name;
    const named = agents.filter((one) => one.name === name).map(({ agent_id }) => agent_id);
    const chosen = named.filter((id) => mentioned.includes(id));
    return named.length === 1 ? named : chosen;
  });
  return [...new Set(found)];
}

const isWord = (text: string, name: string): boolean =>
  text.toLowerCase().startsWith(name.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(text.slice(name.length));
