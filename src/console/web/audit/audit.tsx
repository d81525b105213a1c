import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';

export default function Audit() {
  useTitle(words.places.audit);
  return (
    <main class="page audit">
      <h1>{words.places.audit}</h1>
    </main>
  );
}
