import { line } from 'd3-shape';
import type { Plotted, Series } from './plotted.js';

/** The plot area within its drawing, in pixels. */
export const PLOT = { height: 220, top: 24, bottom: 28, left: 48, right: 8 };
/** Of more buckets, marks and patterns would run together. */
const MOST_MARKED = 62;
/** How wide the name of a bucket is at most, and the least from one to the next. */
const MARK_WIDTH = 64;
const MARKS_APART = 84;

interface Props {
  plot: Plotted;
  width: number;
  /** Names of the buckets. */
  marks: string[];
}

/** What the links of the buckets lie over. Nothing of it is needed by those who cannot see it. */
export function PlotDrawing({ plot, width, marks }: Props) {
  const { axis, kind } = plot;
  const count = marks.length;
  const across = (width - PLOT.left - PLOT.right) / count;
  const floor = PLOT.height - PLOT.bottom;
  const x = (nr: number) => PLOT.left + across * (nr + 0.5);
  const y = (value: number) => floor - (value / axis.top) * (floor - PLOT.top);
  const every = Math.ceil(MARKS_APART / across);
  return (
    <svg width={width} height={PLOT.height} aria-hidden="true">
      <Patterns name={plot.name} />
      <text class="mark" y="12">
        {axis.unit}
      </text>
      {axis.marks.map(({ at, label }) => (
        <g key={at}>
          <line class="grid" x1={PLOT.left} x2={width - PLOT.right} y1={y(at)} y2={y(at)} />
          <text class="mark" x={PLOT.left - 8} y={y(at) + 4} text-anchor="end">
            {label}
          </text>
        </g>
      ))}
      {marks.map(
        (mark, nr) =>
          // Counted from the last one, which is what people look for.
          (count - 1 - nr) % every === 0 && (
            <text key={nr} class="mark" x={endsWithin(x(nr), width)} y={PLOT.height - 8} text-anchor="middle">
              {mark}
            </text>
          ),
      )}
      {kind === 'lines' ? (
        <Lines plot={plot} x={x} y={y} isMarked={count <= MOST_MARKED} />
      ) : (
        <Bars plot={plot} x={x} y={y} across={across} isMarked={count <= MOST_MARKED} />
      )}
    </svg>
  );
}

/** Half a name's width from the edge at least. */
const endsWithin = (at: number, width: number): number => Math.min(at, width - MARK_WIDTH / 2);

interface Drawn {
  plot: Plotted;
  x: (nr: number) => number;
  y: (value: number) => number;
  isMarked: boolean;
}

function Lines({ plot: { series }, x, y, isMarked }: Drawn) {
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, nr) => x(nr))
    .y((value) => y(value!));
  return (
    <>
      {series.map(({ figure, before }, nr) => (
        <path key={figure} class={`line-before dash-${nr}`} d={path(before) ?? ''} />
      ))}
      {series.map(({ figure, values }, nr) => (
        <g key={figure} class={`series-${nr}`}>
          <path class={`line-now dash-${nr}`} d={path(values) ?? ''} />
          {values.map(
            (value, at) =>
              value !== null &&
              (isMarked || isAlone(values, at)) && <Mark key={at} nr={nr} x={x(at)} y={y(value)} />,
          )}
        </g>
      ))}
    </>
  );
}

/** A value without neighbours makes no line. */
const isAlone = (values: (number | null)[], at: number): boolean =>
  (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null;

/** A circle for the first series, a square for the second. */
export const Mark = ({ nr, x, y }: { nr: number; x: number; y: number }) =>
  nr === 0 ? (
    <circle class="point" cx={x} cy={y} r="3" />
  ) : (
    <rect class="point" x={x - 3} y={y - 3} width="6" height="6" />
  );

function Bars({ plot, x, y, across, isMarked }: Drawn & { across: number }) {
  const { series, total, name } = plot;
  const wide = Math.max(1, Math.min(across * 0.84, 64));
  const narrow = Math.max(1, wide * 0.72);
  return (
    <g class={isMarked ? 'edged' : ''}>
      {total!.before.map((value, nr) => (
        <rect
          key={nr}
          class="bar-before"
          x={x(nr) - wide / 2}
          width={wide}
          y={y(value ?? 0)}
          height={y(0) - y(value ?? 0)}
        />
      ))}
      {series.map((one, nr) => (
        <g key={one.figure} class={`series-${nr}`}>
          {one.values.map((value, at) => {
            const below = heightBelow(series, nr, at);
            const [from, to] = [y(below), y(below + (value ?? 0))];
            return (
              from > to && (
                <rect
                  key={at}
                  class="bar"
                  fill={isMarked ? `url(#${patternId(name, nr)})` : undefined}
                  x={x(at) - narrow / 2}
                  width={narrow}
                  y={to}
                  height={from - to}
                />
              )
            );
          })}
        </g>
      ))}
    </g>
  );
}

const heightBelow = (series: Series[], nr: number, at: number): number =>
  series.slice(0, nr).reduce((sum, { values }) => sum + (values[at] ?? 0), 0);

export const patternId = (name: string, nr: number): string => `pattern-${name}-${nr}`;

/** What is cut out of each colour, so that they are told apart without it. */
const CUTS = ['', 'M-2 2 2 -2M-2 10 10 -2M6 10 10 6', 'M0 4H8', 'M4 0V8', 'M0 0 8 8M8 0 0 8'];

const Patterns = ({ name }: { name: string }) => (
  <defs>
    {CUTS.map((cut, nr) => (
      <pattern
        key={cut}
        id={patternId(name, nr)}
        class={`series-${nr}`}
        width="8"
        height="8"
        patternUnits="userSpaceOnUse"
      >
        <rect class="bar" width="8" height="8" />
        <path class="cut-out" d={cut} />
      </pattern>
    ))}
  </defs>
);
