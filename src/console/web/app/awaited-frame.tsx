import { askAgain, type Awaited } from '../data/session.js';
import { Icon } from '../parts/icon.js';
import { Failed, Skeleton } from '../parts/states.js';
import { words } from '../words/words.js';

/** What is drawn until it is known who is signed in. */
export function AwaitedFrame({ of: { error } }: { of: Awaited }) {
  const isLost = error !== null && (error.status === 0 || error.status >= 500);
  return (
    <div class="frame">
      <nav class="places" aria-label={words.places.label}>
        <div class="brand">
          <Icon name="mark" />
          <span class="word">{words.product}</span>
        </div>
      </nav>
      <div role="status" class={isLost ? 'lost' : 'only-read'}>
        {isLost && words.lost}
      </div>
      <main class="page">
        <h1 class="only-read">{words.product}</h1>
        {error ? <Failed error={error} again={askAgain} /> : <Skeleton rows={6} height={64} />}
      </main>
    </div>
  );
}
