/** Spans of days in which sales are expected to close. */
export const CLOSINGS = ['overdue', 'week', 'month', 'next_month', 'quarter'] as const;
export type Closing = (typeof CLOSINGS)[number];

interface Days {
  /** The first day. */
  closing_after?: string;
  /** The first day that is not in it any more. */
  closing_before?: string;
}

/** The days of a span, seen from a day such as "2026-03-31". Weeks begin on Monday. */
export function daysOf(closing: Closing, today: string): Days {
  const date = new Date(`${today}T00:00:00Z`);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const monday = date.getUTCDate() - ((date.getUTCDay() + 6) % 7);
  const quarter = Math.floor(month / 3) * 3;
  const span = (from: number, to: number, dayOfMonth = 1, days = 0): Days => ({
    closing_after: dayAt(year, from, dayOfMonth),
    closing_before: dayAt(year, to, dayOfMonth + days),
  });
  switch (closing) {
    case 'overdue':
      return { closing_before: today };
    case 'week':
      return span(month, month, monday, 7);
    case 'month':
      return span(month, month + 1);
    case 'next_month':
      return span(month + 1, month + 2);
    case 'quarter':
      return span(quarter, quarter + 3);
  }
}

const dayAt = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
