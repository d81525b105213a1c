import type { ComponentChildren } from 'preact';
import { Failed, Skeleton } from '../parts/states.js';
import type { Asked } from './use-figures.js';

interface Props<T> {
  name: string;
  title: string;
  aside?: ComponentChildren;
  of: Asked<T>;
  rows: number;
  children: (data: T) => ComponentChildren;
}

/** A part of the page with a heading, which loads and fails by itself. */
export function Part<T>({ name, title, aside, of: { data, error, again }, rows, children }: Props<T>) {
  return (
    <section class={`part ${name}`} aria-labelledby={`today-${name}`}>
      <div class="part-head">
        <h2 id={`today-${name}`}>{title}</h2>
        {aside}
      </div>
      {data !== undefined ? (
        children(data)
      ) : error ? (
        <Failed error={error} again={again} />
      ) : (
        <Skeleton rows={rows} height={48} />
      )}
    </section>
  );
}
