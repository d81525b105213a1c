import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';

export default function Today() {
  useTitle(words.places.today);
  return (
    <main class="page today">
      <h1>{words.places.today}</h1>
    </main>
  );
}
