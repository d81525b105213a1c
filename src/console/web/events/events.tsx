import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';

export default function Events() {
  useTitle(words.places.events);
  return (
    <main class="page events">
      <h1>{words.places.events}</h1>
    </main>
  );
}
