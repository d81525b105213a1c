import { words } from '../words/words.js';
import { recordsHref } from './address.js';
import type { Figure } from './answers.js';
import type { Span } from './calendar.js';
import type { Plotted } from './plotted.js';

const { today: text } = words;

interface Props {
  plot: Plotted;
  buckets: Span[];
  before: Span[];
  names: string[];
}

/** The same numbers as in the plot, each with its records. */
export function PlotTable({ plot, buckets, before, names }: Props) {
  const { series, total, name } = plot;
  const columns = total ? [...series, total] : series;
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={text.tableOf(text.plot[name])}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.window}</th>
            {columns.map(({ figure, label }) => (
              <th key={figure} scope="col">
                {label}
              </th>
            ))}
            {(total ? [total] : series).map(({ figure, label }) => (
              <th key={figure} scope="col" class="quiet">{`${label}, ${text.before}`}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket, nr) => (
            <tr key={bucket.start_date}>
              <th scope="row">{names[nr]}</th>
              {columns.map(({ figure, values }) => (
                <Cell key={figure} plot={plot} figure={figure} value={values[nr]} bucket={bucket} />
              ))}
              {(total ? [total] : series).map((one) => (
                <Cell
                  key={one.figure}
                  plot={plot}
                  figure={one.figure}
                  value={one.before[nr]}
                  bucket={before[nr]}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  plot: Plotted;
  figure: Figure;
  value: number | null | undefined;
  bucket: Span | undefined;
}

const Cell = ({ plot, figure, value, bucket }: CellProps) => (
  <td>
    {value === null || value === undefined || !bucket ? (
      plot.shown(null)
    ) : (
      <a href={recordsHref(figure, bucket)}>{plot.shown(value)}</a>
    )}
  </td>
);
