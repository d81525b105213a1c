import { useEffect, useState } from 'preact/hooks';
import type { ParleyError } from '../data/api.js';
import { api, endedBy } from '../data/session.js';
import { type Figures, figuresOf, type Look, lookOf } from './figures.js';
import { measuredIn } from './prometheus.js';

export interface Point {
  /** Milliseconds since 1970. */
  at: number;
  figures: Figures;
}

export const EVERY_MS = 5_000;
/** The second look soon follows the first: rates are told between two. */
const FIRST_MS = 1_000;
/** Ten minutes. */
const MOST_POINTS = 120;
/** Rates are those of this time. */
const WINDOW_MS = 30_000;

/** What was seen since the page was loaded; it stays while another tab is looked at. */
let points: Point[] = [];
let looks: Look[] = [];

/** Looks at the metrics as long as somebody looks at the page. */
export function useLooks(): { points: Point[]; error: ParleyError | null } {
  const [, draw] = useState({});
  const [error, setError] = useState<ParleyError | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      if (document.visibilityState === 'visible')
        try {
          add(await api().GET<string>('/metrics'), new Date().getTime());
          setError(null);
        } catch (refusal) {
          if (!endedBy(refusal)) setError(refusal as ParleyError);
        }
      draw({});
      timer = setTimeout(() => void look(), points.length === 1 ? FIRST_MS : EVERY_MS);
    };
    void look();
    return () => clearTimeout(timer);
  }, []);
  return { points, error };
}

function add(text: string, at: number): void {
  const look = lookOf(measuredIn(text), at);
  looks = looks.filter((one) => one.at >= at - WINDOW_MS);
  const before = looks.find(({ process }) => process === look.process);
  looks.push(look);
  points = [...points.slice(1 - MOST_POINTS), { at, figures: figuresOf(look, before) }];
}
