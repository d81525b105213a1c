import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from '../data/route.js';
import { words } from '../words/words.js';
import { showTables, tablesOf } from './address.js';
import type { Bucket } from './answers.js';
import type { Choice } from './calendar.js';
import { bucketMark, bucketName } from './numbers.js';
import { Part } from './part.js';
import { Mark, patternId, PlotDrawing } from './plot-drawing.js';
import { PlotPoints } from './plot-points.js';
import { PlotTable } from './plot-table.js';
import { type Plotted, plotsOf } from './plotted.js';
import { type Compared, useSeries } from './use-figures.js';

const { today: text } = words;

/** How the figures went over the window, with the window before in grey behind. */
export function Plots({ choice }: { choice: Choice }) {
  const series = useSeries(choice);
  return (
    <Part name="plots" title={text.plots} of={series} rows={6}>
      {(compared) => (
        <div class="plots-grid">
          {plotsOf(compared.now, compared.before).map((plot) => (
            <Plot key={plot.name} plot={plot} choice={choice} of={compared} />
          ))}
        </div>
      )}
    </Part>
  );
}

interface PlotProps {
  plot: Plotted;
  choice: Choice;
  of: Compared<Bucket[]>;
}

function Plot({ plot, choice: { interval }, of: { now, before } }: PlotProps) {
  const { query } = useRoute();
  const tables = tablesOf(query);
  const { name } = plot;
  const isTable = tables.includes(name);
  const names = now.map((bucket) => bucketName(interval, bucket));
  const toggle = () => showTables(isTable ? tables.filter((one) => one !== name) : [...tables, name]);
  return (
    <figure class="chart" aria-label={text.plot[name]}>
      <figcaption class="part-head">
        <h3>{text.plot[name]}</h3>
        <button
          class="button slim"
          aria-pressed={isTable}
          aria-label={text.tableOf(text.plot[name])}
          onClick={toggle}
        >
          {text.asTable}
        </button>
      </figcaption>
      {isTable ? (
        <PlotTable plot={plot} buckets={now} before={before} names={names} />
      ) : (
        <Drawn plot={plot} buckets={now} names={names} marks={now.map((one) => bucketMark(interval, one))} />
      )}
    </figure>
  );
}

interface DrawnProps {
  plot: Plotted;
  buckets: Bucket[];
  names: string[];
  marks: string[];
}

function Drawn({ plot, buckets, names, marks }: DrawnProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);
  return (
    <>
      <Legend plot={plot} />
      <div class="chart-box" ref={box}>
        {width > 0 && (
          <>
            <PlotDrawing plot={plot} width={width} marks={marks} />
            <PlotPoints plot={plot} width={width} buckets={buckets} names={names} />
          </>
        )}
      </div>
    </>
  );
}

const Legend = ({ plot: { name, kind, series } }: { plot: Plotted }) => (
  <ul class="legend small quiet">
    {series.map(({ figure, label }, nr) => (
      <li key={figure}>
        <svg class={`series-${nr}`} width="24" height="12" aria-hidden="true">
          {kind === 'bars' ? (
            <rect class="bar" fill={`url(#${patternId(name, nr)})`} width="24" height="12" />
          ) : (
            <>
              <path class={`line-now dash-${nr}`} d="M0 6H24" />
              <Mark nr={nr} x={12} y={6} />
            </>
          )}
        </svg>
        {label}
      </li>
    ))}
    <li>
      <svg class="edged" width="24" height="12" aria-hidden="true">
        {kind === 'bars' ? (
          <rect class="bar-before" x="0.5" y="0.5" width="23" height="11" />
        ) : (
          <path class="line-before" d="M0 6H24" />
        )}
      </svg>
      {text.windowBefore}
    </li>
  </ul>
);
