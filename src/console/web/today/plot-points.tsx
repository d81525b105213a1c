import { useRef, useState } from 'preact/hooks';
import { useRoute } from '../data/route.js';
import { words } from '../words/words.js';
import { recordsHref } from './address.js';
import type { Span } from './calendar.js';
import { PLOT } from './plot-drawing.js';
import type { Plotted, Series } from './plotted.js';

const { today: text } = words;
const TIP_WIDTH = 240;

interface Props {
  plot: Plotted;
  width: number;
  buckets: Span[];
  /** Names of the buckets. */
  names: string[];
}

/** A link over each bucket, with what it shows; arrows go from one to the next, as one stop of the Tab key. */
export function PlotPoints({ plot, width, buckets, names }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const { query } = useRoute();
  const last = buckets.length - 1;
  const chosen = buckets.findIndex(({ start_date }) => start_date === query.get('start_date'));
  const [stop, setStop] = useState<number | null>(null);
  const [pointed, point] = useState<number | null>(null);
  const at = Math.min(stop ?? (chosen >= 0 ? chosen : last), last);
  const walk = (event: KeyboardEvent) => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    list.current!.querySelectorAll('a')[Math.max(0, Math.min(next, last))]!.focus();
  };
  return (
    <>
      <ul
        ref={list}
        class="points"
        aria-label={`${text.plot[plot.name]}. ${text.steps}`}
        style={{
          left: `${PLOT.left}px`,
          right: `${PLOT.right}px`,
          top: `${PLOT.top}px`,
          bottom: `${PLOT.bottom}px`,
        }}
        onKeyDown={walk}
        onPointerLeave={() => point(null)}
      >
        {buckets.map((bucket, nr) => (
          <li key={bucket.start_date}>
            <a
              class="point-link"
              href={recordsHref(plot.records, bucket)}
              tabIndex={nr === at ? 0 : -1}
              aria-current={nr === chosen ? 'true' : undefined}
              aria-label={`${names[nr]!}: ${saidOf(plot, nr)}`}
              onFocus={() => {
                setStop(nr);
                point(nr);
              }}
              onBlur={() => point(null)}
              onPointerEnter={() => point(nr)}
            />
          </li>
        ))}
      </ul>
      {pointed !== null && pointed <= last && (
        <Tip plot={plot} nr={pointed} name={names[pointed]!} left={tipAt(pointed, buckets.length, width)} />
      )}
    </>
  );
}

/** Beside the point, on the side where there is room. */
function tipAt(nr: number, count: number, width: number): number {
  const across = (width - PLOT.left - PLOT.right) / count;
  const at = PLOT.left + across * (nr + 0.5);
  const beside = at + TIP_WIDTH + 16 <= width ? at + 12 : at - TIP_WIDTH - 12;
  return Math.max(0, beside);
}

const linesOf = ({ series, total }: Plotted): Series[] => (total ? [...series, total] : series);

function saidOf(plot: Plotted, nr: number): string {
  return linesOf(plot)
    .map(
      ({ label, values, before }) =>
        `${label} ${plot.shown(values[nr])}, ${text.before} ${plot.shown(before[nr])}`,
    )
    .join('; ');
}

function Tip({ plot, nr, name, left }: { plot: Plotted; nr: number; name: string; left: number }) {
  return (
    <div class="tip small" aria-hidden="true" style={{ left: `${left}px`, width: `${TIP_WIDTH}px` }}>
      <p>{name}</p>
      <dl>
        {linesOf(plot).map(({ figure, label, values, before }) => (
          <div key={figure}>
            <dt>{label}</dt>
            <dd>{plot.shown(values[nr])}</dd>
            <dd class="quiet">{`${text.before} ${plot.shown(before[nr])}`}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
