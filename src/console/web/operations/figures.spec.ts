import { figuresOf, type Look, lookOf } from './figures.js';
import { linesOf } from './lines.js';
import { measuredIn } from './prometheus.js';

const NAME = 'parley_http_request_duration_seconds';

/** A look at a process that has answered so many requests, each within 50 ms, some of them 503. */
function lookAt(at: number, requests: number, errors = 0, more: string[] = []): Look {
  const of = (status: string, count: number) => [
    `${NAME}_bucket{route="/api",status="${status}",le="0.1"} ${count}`,
    `${NAME}_bucket{route="/api",status="${status}",le="+Inf"} ${count}`,
    `${NAME}_sum{route="/api",status="${status}"} ${count * 0.05}`,
    `${NAME}_count{route="/api",status="${status}"} ${count}`,
  ];
  const monitors = [`${NAME}_count{route="/metrics",status="200"} ${at}`];
  const lines = [...of('200', requests - errors), ...of('503', errors), ...monitors, ...more];
  return lookOf(measuredIn(lines.join('\n')), at);
}

describe('figures of two looks at a process', () => {
  it('are rates and times of what was answered between them, without what monitors ask for', () => {
    const figures = figuresOf(lookAt(11_000, 130, 10), lookAt(1_000, 30, 5));
    expect(figures).toMatchObject({ requests: 10, errors: 0.5 });
    expect(figures.mean).toBeCloseTo(0.05);
    expect(figures.p95).toBeCloseTo(0.095);
  });

  it('are not known before the second look, and times not without a request', () => {
    const unknown = { requests: null, errors: null, cpu: null, p95: null, mean: null };
    expect(figuresOf(lookAt(1_000, 30), undefined)).toMatchObject(unknown);
    expect(figuresOf(lookAt(2_000, 30), lookAt(1_000, 30))).toMatchObject({
      requests: 0,
      p95: null,
      mean: null,
    });
  });

  it('count what waits by its states, nought where there is none, and nothing while the database is away', () => {
    const lines = [
      'parley_events 7',
      'parley_deliveries{status="queued"} 2',
      'parley_deliveries{status="retrying"} 3',
      'parley_projection_lag_seconds{projection="search"} 4',
      'parley_projection_lag_seconds{projection="analytics"} 9',
    ];
    const waiting = figuresOf(lookAt(1_000, 0, 0, lines), undefined);
    expect(waiting).toMatchObject({ deliveries: 5, stuck: 0, webhooks: 0, lag: 9 });
    expect(figuresOf(lookAt(1_000, 0), undefined)).toMatchObject({ deliveries: null, stuck: null });
  });
});

describe('the line of a plot', () => {
  it('goes from nought to its highest, and ends at the right', () =>
    expect(linesOf([0, 10, 5], 3)).toEqual(['M0 46h0L120 2L240 24']));

  it('has a gap where nothing is known', () =>
    expect(linesOf([4, null, 4, 4], 4)).toEqual(['M0 2h0', 'M160 2h0L240 2']));

  it('of few values begins where they do', () => expect(linesOf([1], 121)).toEqual(['M240 2h0']));

  it('lies at the bottom where all is nought', () => expect(linesOf([0, 0], 2)).toEqual(['M0 46h0L240 46']));
});
