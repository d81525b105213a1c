import { useEffect } from 'preact/hooks';
import { words } from '../words/words.js';

/** What the browser calls the page, in its tab and its history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
}
