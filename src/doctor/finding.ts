/** A finding of the doctor: all is well, something may do harm, or something keeps Parley from working. */
export interface Finding {
  check: string;
  verdict: 'ok' | 'warning' | 'error';
  detail: string;
  /** What to do about it; absent when all is well. */
  fix?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, verdict: 'ok', detail });

export const failed = (check: string, detail: string, fix: string): Finding => ({
  check,
  verdict: 'error',
  detail,
  fix,
});

export const warning = (check: string, detail: string, fix: string): Finding => ({
  check,
  verdict: 'warning',
  detail,
  fix,
});
