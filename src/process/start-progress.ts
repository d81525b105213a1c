const WORTH_A_WORD_MS = 2_000;

/** Tells whoever looks at a terminal what the start is doing. Elsewhere stderr is for what is wrong. */
export function tell(words: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${words}\n`);
}

/** Waits for `work`, and after two seconds tells what for. */
export async function waitingFor<Result>(
  what: string,
  work: Promise<Result>,
  told: (words: string) => void = tell,
  afterMs = WORTH_A_WORD_MS,
): Promise<Result> {
  const timer = setTimeout(() => told(`Waiting for ${what} …`), afterMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
