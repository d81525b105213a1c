import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useConnectionLost } from '../data/connection.js';
import { useLive } from '../data/live.js';
import { Organization, useOrganization } from '../data/organization.js';
import { useRoute } from '../data/route.js';
import { awaitedSession, isOperator, isSignedIn, onSession } from '../data/session.js';
import { reasonOf } from '../data/notices.js';
import { forgetAll, reloadAll, useStale } from '../data/store.js';
import { useKeys } from '../parts/keys.js';
import { Empty } from '../parts/states.js';
import { words } from '../words/words.js';
import { AwaitedFrame } from './awaited-frame.js';
import { KeysHelp } from './keys-help.js';
import { LazyPage } from './lazy-page.js';
import { Notices } from './notices.js';
import { placeOf } from './pages.js';
import { Palette } from './palette.js';
import { Places } from './places.js';
import { SignIn } from './sign-in.js';

/** Whoever is not signed in is asked for a key; the address stays, and is shown afterwards. */
export function App() {
  const [, draw] = useState({});
  // Before the first answer can come.
  useLayoutEffect(
    () =>
      onSession(() => {
        forgetAll();
        draw({});
      }),
    [],
  );
  const awaited = awaitedSession();
  return (
    <>
      {isSignedIn() ? <Frame /> : awaited ? <AwaitedFrame of={awaited} /> : <SignIn />}
      <Notices />
    </>
  );
}

/** To what is on the page, past the places. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('page')!.focus();
}

function Frame() {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const isLost = useConnectionLost();
  const organization = useOrganization();
  const before = useRef(organization);
  if (before.current !== organization) {
    before.current = organization;
    forgetAll();
  }
  const close = () => setOpen(null);
  useKeys([{ key: '?', label: words.key.help, act: () => setOpen('keys') }], true);
  useEffect(() => {
    const find = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen('palette');
    };
    addEventListener('keydown', find);
    return () => removeEventListener('keydown', find);
  }, []);
  return (
    <div class="frame">
      <a class="button skip" href="#page" onClick={skip}>
        {words.skip}
      </a>
      <Places find={() => setOpen('palette')} showKeys={() => setOpen('keys')} />
      <div id="page" class="only-read" tabIndex={-1} />
      <Freshness isLost={isLost} />
      {(organization !== null || isOperator()) && (
        <Organization.Provider value={organization ?? ''}>
          <Shown key={organization} />
          {open === 'palette' && <Palette close={close} />}
        </Organization.Provider>
      )}
      {open === 'keys' && <KeysHelp close={close} />}
    </div>
  );
}

/** Tells that what is shown may be old, and why. */
function Freshness({ isLost }: { isLost: boolean }) {
  const stale = useStale();
  return (
    <div role="status" class={isLost || stale ? 'lost' : 'only-read'}>
      {isLost && words.lost}
      {!isLost && stale && (
        <>
          {words.stale(reasonOf(stale))}{' '}
          <button class="button slim" onClick={() => void reloadAll()}>
            {words.failed.again}
          </button>
        </>
      )}
    </div>
  );
}

function Shown() {
  useLive();
  const { path } = useRoute();
  const place = placeOf(path);
  if (place) return <LazyPage key={place.name} of={place} />;
  return (
    <main class="page">
      <Empty title={words.failed.title}>
        <p>{words.failed.noPage}</p>
      </Empty>
    </main>
  );
}
