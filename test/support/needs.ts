/**
 * `it` and `describe` for what needs something that a machine may lack. Where it is missing, they skip, and the end of the run
 * says so: the reporter finds the need in the title.
 */
export function needs(need: string, isMet: boolean): { it: jest.It; describe: jest.Describe } {
  if (isMet) return { it, describe };
  const skip = (skipped: (title: string, body: () => void) => void) => (title: string, body: () => void) =>
    skipped(`${title} [needs ${need}]`, body);
  return { it: skip(it.skip) as jest.It, describe: skip(describe.skip) as jest.Describe };
}
