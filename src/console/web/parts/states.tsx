import type { ComponentChildren } from 'preact';
import { type ParleyError } from '../data/api.js';
import { useBack } from '../data/connection.js';
import { reasonOf } from '../data/notices.js';
import { useSlow } from '../data/store.js';
import { exact, moment } from '../format.js';
import { words } from '../words/words.js';

/** What a list or record shows when it has nothing to show. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="state">
    <h2>{title}</h2>
    {children}
  </div>
);

/** Why something did not come; what a lost connection kept away is asked for as soon as it is back. */
export function Failed({ error, again }: { error: ParleyError; again: () => void }) {
  useBack(() => error.status === 0 && again());
  return (
    <div class="state" role="alert">
      <h2>{words.failed.title}</h2>
      <p>
        {error.status === 404
          ? words.failed.notFound
          : error.status === 0
            ? words.failed.lost
            : reasonOf(error)}
      </p>
      {error.requestId && <p class="small">{words.failed.request(error.requestId)}</p>}
      <button class="button" onClick={again}>
        {words.failed.again}
      </button>
    </div>
  );
}

/** Grey bars where rows will be, after 200 ms. */
export function Skeleton({ rows, height }: { rows: number; height: number }) {
  const isSlow = useSlow(true);
  return (
    <div role="status">
      <span class="only-read">{words.loading}</span>
      {isSlow &&
        Array.from({ length: rows }, (_, row) => (
          <div key={row} style={{ height: `${height}px`, padding: '16px' }} aria-hidden="true">
            <div class="skeleton" style={{ width: `${45 + ((row * 17) % 30)}%` }} />
            <div class="skeleton" style={{ width: `${65 + ((row * 23) % 30)}%`, marginTop: '8px' }} />
          </div>
        ))}
    </div>
  );
}

/** A time as people say it, with the instant on hover. */
export const Time = ({ at, class: name }: { at: string; class?: string }) => (
  <time dateTime={at} title={exact(at)} class={name}>
    {moment(at)}
  </time>
);
