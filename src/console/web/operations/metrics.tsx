import { changedQuery, go, href, useRoute } from '../data/route.js';
import { sizeOf } from '../format.js';
import { Failed, Skeleton } from '../parts/states.js';
import { root } from '../root.js';
import { language, words } from '../words/words.js';
import { type Figure } from './figures.js';
import { lasting, percent, shortly } from './numbers.js';
import { Sparkline } from './sparkline.js';
import { EVERY_MS, type Point, useLooks } from './use-looks.js';

const { metrics: text } = words.operations;

const GROUPS: Record<keyof typeof text.group, Figure[]> = {
  requests: ['requests', 'errors', 'p95', 'mean'],
  queue: ['deliveries', 'due', 'stuck', 'webhooks', 'lag', 'workers'],
  process: ['cpu', 'memory', 'used', 'awaited'],
};

/** Points of a full plot: ten minutes. */
const FULL = 120;
/** Rows of a table. */
const ROWS = 20;
const clock = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });

export function Metrics() {
  const { points, error } = useLooks();
  if (points.length === 0 && error) return <Failed error={error} again={() => location.reload()} />;
  if (points.length === 0) return <Skeleton rows={6} height={64} />;
  return (
    <section class="ops-body" aria-label={text.list}>
      <p class="quiet">{text.what(lasting(EVERY_MS / 1_000))}</p>
      {error && <p class="refusal">{text.stale}</p>}
      {(Object.keys(GROUPS) as (keyof typeof GROUPS)[]).map((group) => (
        <section key={group}>
          <h2>{text.group[group]}</h2>
          {group === 'queue' && (
            <p class="quiet">
              {text.queue}{' '}
              <a href={`${root.api}admin/queues`} target="_blank" rel="noreferrer">
                {text.queueLink}
              </a>
            </p>
          )}
          <div class="plots">
            {GROUPS[group].map((figure) => (
              <Plot key={figure} figure={figure} points={points} />
            ))}
          </div>
        </section>
      ))}
    </section>
  );
}

function Plot({ figure, points }: { figure: Figure; points: Point[] }) {
  const { path, query } = useRoute();
  const values = points.map(({ figures }) => figures[figure]);
  const known = values.filter((value) => value !== null);
  const latest = values.at(-1) ?? null;
  const highest = Math.max(0, ...known);
  const show = (value: number | null) => (value === null ? text.unknown : SHOWN[figure](value));
  const isOpen = query.get('table') === figure;
  const id = `table-${figure}`;
  return (
    <figure class="plot">
      <figcaption>{text.figure[figure]}</figcaption>
      <p class="plot-number">{show(latest)}</p>
      <Sparkline
        values={values}
        most={FULL}
        label={text.plot(text.figure[figure], show(latest), show(highest))}
      />
      <p class="quiet small plot-foot">
        <span>{text.highest(show(highest))}</span>
        <button
          class="button link"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={text.tableOf(text.figure[figure])}
          onClick={() => go(href(path, changedQuery({ table: isOpen ? null : figure })), { replace: true })}
        >
          {text.table}
        </button>
      </p>
      {isOpen && (
        <table id={id} class="plot-table small">
          <thead>
            <tr>
              <th scope="col">{text.time}</th>
              <th scope="col">{text.figure[figure]}</th>
            </tr>
          </thead>
          <tbody>
            {points
              .slice(-ROWS)
              .reverse()
              .map(({ at, figures }) => (
                <tr key={at}>
                  <td>
                    <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>
                  </td>
                  <td>{show(figures[figure])}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </figure>
  );
}

const perSecond = (value: number): string => text.perSecond(shortly(value));
/** A time of a request, from microseconds on. */
const brief = (seconds: number): string =>
  seconds < 1
    ? shortly(seconds * 1_000, { style: 'unit', unit: 'millisecond', unitDisplay: 'short' })
    : shortly(seconds, { style: 'unit', unit: 'second', unitDisplay: 'short' });
const count = (value: number): string => shortly(value, { maximumSignificantDigits: 21 });

const SHOWN: Record<Figure, (value: number) => string> = {
  requests: perSecond,
  errors: perSecond,
  p95: brief,
  mean: brief,
  cpu: percent,
  memory: sizeOf,
  used: count,
  awaited: count,
  deliveries: count,
  stuck: count,
  due: (value) => lasting(Math.round(value)),
  webhooks: count,
  lag: (value) => lasting(Math.round(value)),
  workers: count,
};
