import { words } from '../words/words.js';

/** Stands by what was being written before the page was left, and is shown again. */
export const NotSaved = () => (
  <p class="small waiting" role="status">
    {words.notSaved}
  </p>
);
