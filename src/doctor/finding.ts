/** What the doctor says of one thing: that it is well, may do harm, or keeps Parley from working. */
export interface Finding {
  check: string;
  verdict: 'ok' | 'warning' | 'broken';
  detail: string;
  /** What to do about it; absent when all is well. */
  mend?: string;
}

export const well = (check: string, detail: string): Finding => ({ check, verdict: 'ok', detail });

export const broken = (check: string, detail: string, mend: string): Finding => ({
  check,
  verdict: 'broken',
  detail,
  mend,
});

export const warning = (check: string, detail: string, mend: string): Finding => ({
  check,
  verdict: 'warning',
  detail,
  mend,
});
