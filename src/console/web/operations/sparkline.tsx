import { EDGE, HEIGHT, linesOf, WIDTH } from './lines.js';

interface Props {
  /** With gaps where nothing is known. */
  values: (number | null)[];
  /** Of a full plot; fewer stand at its end. */
  most: number;
  label: string;
}

/** A line from nought to the highest of its values, which the label tells of to whoever cannot see it. */
export const Sparkline = ({ values, most, label }: Props) => (
  <svg
    class="sparkline"
    viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    preserveAspectRatio="none"
    role="img"
    aria-label={label}
  >
    <path class="base" d={`M0 ${HEIGHT - EDGE}H${WIDTH}`} />
    {linesOf(values, most).map((line) => (
      <path key={line} class="line" d={line} />
    ))}
  </svg>
);
