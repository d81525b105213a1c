import type { HeaderLine } from './mail-tree.js';

/** What a receiving server found out about a mail's sender (RFC 8601), such as `pass`; null where it says nothing. */
export interface Authentication {
  spf: string | null;
  dkim: string | null;
  dmarc: string | null;
}

const MOST_RESULTS = 50;
const LONGEST = 10_000;

/** The Authentication-Results of a mail, the latest first: servers write above what is there. */
export const authenticationResults = (lines: HeaderLine[]): string[] =>
  lines
    .filter(({ key, line }) => key === 'authentication-results' && line.length <= LONGEST)
    .slice(0, MOST_RESULTS)
    .map(({ line }) => line.slice(line.indexOf(':') + 1));

/** What the server of this name says in the topmost of its results. Anybody can write results in the name of any server. */
export function authenticationBy(authservId: string, results: string[]): Authentication {
  const [, ...methods] = results.map(parts).find(([id]) => id === authservId.toLowerCase()) ?? [];
  const found = methods.flatMap((method) => [...method.matchAll(/^([a-z]+)(?:\/\d+)?=([a-z]+)/g)]);
  const resultOf = (method: keyof Authentication): string | null => {
    const all = found.filter(([, name]) => name === method).map(([, , result]) => result!);
    return all.includes('pass') ? 'pass' : (all[0] ?? null);
  };
  return { spf: resultOf('spf'), dkim: resultOf('dkim'), dmarc: resultOf('dmarc') };
}

/** The name of the server and what it found, lower-cased, without comments, quoted reasons and a version. */
function parts(result: string): string[] {
  const [server = '', ...methods] = result
    .replace(/"[^"]*"|\([^()]*\)/g, ' ')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim().replace(/\s+/g, ' ').replaceAll(' =', '=').replaceAll('= ', '='));
  return [server.split(' ')[0]!, ...methods];
}
