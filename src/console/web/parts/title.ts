import { useEffect } from 'preact/hooks';
import { isolated } from '../words/isolated.js';
import { words } from '../words/words.js';

/** What the browser calls the page, in its tab and its history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${isolated(title)} · ${words.product}`;
  }, [title]);
}
