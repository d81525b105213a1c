import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';

export default function Contacts() {
  useTitle(words.places.contacts);
  return (
    <main class="page contacts">
      <h1>{words.places.contacts}</h1>
    </main>
  );
}
