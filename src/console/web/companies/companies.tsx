import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';

export default function Companies() {
  useTitle(words.places.companies);
  return (
    <main class="page companies">
      <h1>{words.places.companies}</h1>
    </main>
  );
}
