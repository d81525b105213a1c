import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';

export default function Tasks() {
  useTitle(words.places.tasks);
  return (
    <main class="page tasks">
      <h1>{words.places.tasks}</h1>
    </main>
  );
}
