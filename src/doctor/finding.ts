/** A finding of the doctor: all is well, something may do harm, or something keeps Parley from working. */
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
