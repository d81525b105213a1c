import { measuredIn, quantile } from './prometheus.js';

describe('the text format', () => {
  it('is read line by line, with and without labels, and comments are passed over', () =>
    expect(
      measuredIn(
        [
          '# HELP parley_workers Workers.',
          '# TYPE parley_workers gauge',
          'parley_workers 2',
          'parley_deliveries{status="queued"} 1.5e3 1795693381831',
          'http_bucket{route="/a,b",le="+Inf"} +Inf',
          '',
        ].join('\n'),
      ),
    ).toEqual([
      { name: 'parley_workers', labels: {}, value: 2 },
      { name: 'parley_deliveries', labels: { status: 'queued' }, value: 1500 },
      { name: 'http_bucket', labels: { route: '/a,b', le: '+Inf' }, value: Infinity },
    ]));

  it('has quotes, backslashes and line ends in labels', () =>
    expect(measuredIn('up{of="a\\"b\\\\c\\nd}"} 1')).toEqual([
      { name: 'up', labels: { of: 'a"b\\c\nd}' }, value: 1 },
    ]));
});

describe('a quantile of a histogram', () => {
  const counts: [number, number][] = [
    [0.2, 15],
    [0.1, 10],
    [Infinity, 20],
  ];

  it.each([
    [0.25, 0.05],
    [0.5, 0.1],
    [0.625, 0.15],
    [0.75, 0.2],
  ])('%d lies evenly within its bucket: %d', (part, value) =>
    expect(quantile(part, counts)).toBeCloseTo(value),
  );

  it('beyond the last bound is that bound', () => expect(quantile(0.95, counts)).toBe(0.2));

  it('of nothing is not known', () => {
    expect(quantile(0.95, [])).toBeNull();
    expect(quantile(0.95, [[1, 0]])).toBeNull();
  });
});
