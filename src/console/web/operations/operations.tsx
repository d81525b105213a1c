import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';

export default function Operations() {
  useTitle(words.places.operations);
  return (
    <main class="page operations">
      <h1>{words.places.operations}</h1>
    </main>
  );
}
