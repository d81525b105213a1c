import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';

export default function Pipeline() {
  useTitle(words.places.pipeline);
  return (
    <main class="page pipeline">
      <h1>{words.places.pipeline}</h1>
    </main>
  );
}
