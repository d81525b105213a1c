import { daysOf } from './closing.js';

describe('the days in which sales are expected to close', () => {
  it.each([
    ['overdue', '2026-03-12', undefined, '2026-03-12'],
    ['week', '2026-03-12', '2026-03-09', '2026-03-16'],
    ['week', '2026-03-01', '2026-02-23', '2026-03-02'],
    ['month', '2026-12-31', '2026-12-01', '2027-01-01'],
    ['next_month', '2026-01-31', '2026-02-01', '2026-03-01'],
    ['next_month', '2026-12-05', '2027-01-01', '2027-02-01'],
    ['quarter', '2026-11-30', '2026-10-01', '2027-01-01'],
  ] as const)('are, for %s on %s, from %s up to %s', (closing, today, closing_after, closing_before) =>
    expect(daysOf(closing, today)).toEqual({ ...(closing_after && { closing_after }), closing_before }),
  );
});
