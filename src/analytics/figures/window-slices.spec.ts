import { slice, type Slices } from './window-slices.js';

const whole = (text: string) => `${text}${'0000-01-01T00:00:00.000000Z'.slice(text.length)}`;
const cut = (start_date: string, end_date: string) =>
  slice({ start_date: whole(start_date), end_date: whole(end_date) });
const ranges = ({ edges, hours, days, months }: Slices) => [...edges, ...hours, ...days, months];
const filled = (slices: Slices) => ranges(slices).filter(([from, to]) => from !== to);

describe('a window', () => {
  it('is cut into edges, hours, days and months', () => {
    expect(cut('2025-11-29T22:30', '2026-02-02T01:15:00.000001Z')).toEqual({
      edges: [
        [whole('2025-11-29T22:30'), whole('2025-11-29T23')],
        [whole('2026-02-02T01'), '2026-02-02T01:15:00.000001Z'],
      ],
      hours: [
        [whole('2025-11-29T23'), whole('2025-11-30')],
        [whole('2026-02-02'), whole('2026-02-02T01')],
      ],
      days: [
        [whole('2025-11-30'), whole('2025-12')],
        [whole('2026-02'), whole('2026-02-02')],
      ],
      months: [whole('2025-12'), whole('2026-02')],
    });
  });

  it.each([
    ['2026-01-01T10:59:59.999999Z', '2026-01-01T11:00:00.000001Z'],
    ['2026-01-01T10:00:00.000001Z', '2026-01-01T10:59'],
    ['2026-01-01T10:00:00.000001Z', '2026-01-01T11'],
    ['2026-01-01T10', '2026-01-01T11'],
    ['2026-01-31T23:30', '2026-02-01T00:30'],
    ['2025-12-31T12:00', '2026-01-02T12:00'],
    ['2024-02-29', '2025-03'],
    ['0001-01', '9999-12-31T23:59:59.999999Z'],
    ['9999-12-31T23:10', '9999-12-31T23:20'],
    ['9999-12-31T10:10', '9999-12-31T23:20'],
  ])('from %s to %s is covered once and whole', (from, to) => {
    const slices = cut(from, to);
    const parts = filled(slices).sort(([one], [other]) => (one < other ? -1 : 1));
    expect(parts[0]![0]).toBe(whole(from));
    expect(parts.at(-1)![1]).toBe(whole(to));
    parts.slice(1).forEach(([start], index) => expect(start).toBe(parts[index]![1]));
    for (const [start, end] of ranges(slices)) expect(start <= end).toBe(true);
    for (const [start, end] of slices.edges)
      expect(Date.parse(end.slice(0, 23) + 'Z') - Date.parse(start.slice(0, 23) + 'Z')).toBeLessThanOrEqual(
        3_600_000,
      );
  });
});
