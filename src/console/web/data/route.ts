import { useEffect, useState } from 'preact/hooks';
import { root } from '../root.js';

export interface Route {
  /** The path below /console, in its parts. */
  path: string[];
  query: URLSearchParams;
}

const listeners = new Set<() => void>();
const tellAll = () => listeners.forEach((tell) => tell());
addEventListener('popstate', tellAll);

function read(): Route {
  const path = location.pathname
    .slice(root.console.length - 1)
    .split('/')
    .filter(Boolean);
  return { path: path.map(decodeURIComponent), query: new URLSearchParams(location.search) };
}

export function useRoute(): Route {
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const tell = () => setRoute(read());
    listeners.add(tell);
    return () => void listeners.delete(tell);
  }, []);
  return route;
}

/** The address of a page; what is empty is left out of its query. */
export function href(path: string[], query: URLSearchParams | Record<string, string | null> = {}): string {
  const entries = query instanceof URLSearchParams ? [...query] : Object.entries(query);
  // The language of a page goes on in the pages that it leads to.
  if (!entries.some(([name]) => name === 'lang')) entries.push(['lang', changedQuery({}).get('lang')]);
  const given = entries.filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== '');
  const search = new URLSearchParams(given).toString();
  return root.console + path.map(encodeURIComponent).join('/') + (search === '' ? '' : `?${search}`);
}

export function go(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  tellAll();
}

/** The same query with other values; null takes one away. */
export function changedQuery(changes: Record<string, string | null>): URLSearchParams {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === '') query.delete(name);
    else query.set(name, value);
  return query;
}

/** Follows links within the console without loading it again. */
export function followLinks(): void {
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a');
    if (!link || event.defaultPrevented || event.button !== 0 || link.target !== '' || link.download) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !url.pathname.startsWith(root.console)) return;
    event.preventDefault();
    go(url.pathname + url.search);
  });
}
