import { forgetSession } from './watched-fetch.js';
import { type Api, apiBySession, beginSession, endSession, type Options, ParleyError } from './api.js';

export interface Me {
  key: { key_id: string; name: string; scopes: string[]; read_only: boolean; expires_at: string | null };
  agent: { agent_id: string; name: string; organization_id: string } | null;
  organizations: { organization_id: string; name: string }[];
}

type Kind = 'key' | 'operator';

/** A session that the browser may have, and why nobody has said yet whose it is. */
export interface Awaited {
  error: ParleyError | null;
}

/** Whose API key a session is of; or that it is the operators'. */
let signedIn: Me | 'operator' | null = null;
let awaited: Awaited | null = null;
let changed: () => void = () => undefined;
let askNow: () => void = () => undefined;
/** Settled once the session of before has ended. */
let ending: Promise<void> = Promise.resolve();

export const onSession = (tell: () => void): void => void (changed = tell);

export const isSignedIn = (): boolean => signedIn !== null;

/** While it is asked whose session the browser has; null afterwards. */
export const awaitedSession = (): Awaited | null => awaited;

/** Asks now, and not only after the pause. */
export const askAgain = (): void => askNow();

/** Whether operators are signed in, who see no organization's records. */
export const isOperator = (): boolean => signedIn === 'operator';

/** Whose API key is signed in; null for nobody, and for the operators. */
export const session = (): Me | null => (signedIn === 'operator' ? null : signedIn);

/** The API as whoever is signed in may call it. */
export function api(): Api {
  if (signedIn === null) throw new ParleyError(401, { code: 'unauthorized', detail: '' });
  return apiBySession;
}

const API_KEY = /^parley_[0-9a-z]{26}_/;

/** The key is sent this once, and kept nowhere. Throws `ParleyError` when it is refused. */
export async function signIn(key: string): Promise<void> {
  // Its answer takes away whatever cookie the browser has by then.
  await ending;
  forgetSession();
  const kind = API_KEY.test(key) ? 'key' : 'operator';
  await beginSession(key, kind === 'key' ? 'X-API-KEY' : 'X-ADMIN-KEY');
  await enter(kind);
}

/** What has become of the link that led here, as the address says. */
const link = /^#(signed-in|link-used)$/.exec(location.hash)?.[1];
if (link) history.replaceState(null, '', location.pathname);

/** Whether a link to sign in led here that had been used, or was too old. */
export const isLinkUsed = link === 'link-used';

/** Goes on with the session that the browser has a cookie of, where it has one; asks until that is answered. */
export async function resume(): Promise<void> {
  const kinds: Kind[] = link === 'signed-in' ? ['key'] : remembered();
  if (kinds.length === 0) return;
  awaited = { error: null };
  for (;;) {
    const error = await enterAsOne(kinds);
    awaited = error && { error };
    if (!isSignedIn()) changed();
    if (error === null) return;
    await untilAsked(Math.max(ASK_EVERY_S, error.retryAfter ?? 0));
  }
}

const ASK_EVERY_S = 2;

const untilAsked = (seconds: number): Promise<void> =>
  new Promise((ask) => {
    const timer = setTimeout(ask, seconds * 1_000);
    askNow = () => {
      clearTimeout(timer);
      ask();
    };
  });

/** Tries one after the other; gives why there is no answer, or null when there is one. */
async function enterAsOne(kinds: Kind[]): Promise<ParleyError | null> {
  for (const kind of kinds)
    try {
      await enter(kind, { retries: 0 });
      return null;
    } catch (error) {
      const { status } = error as ParleyError;
      if (status !== 401 && status !== 403) return error as ParleyError;
    }
  return null;
}

async function enter(kind: Kind, options: Options = {}): Promise<void> {
  if (kind === 'key') signedIn = await apiBySession.GET<Me>('/api/v2/me', options);
  else {
    await apiBySession.GET('/admin/v1/organizations', options);
    signedIn = 'operator';
  }
  awaited = null;
  remember(kind);
  changed();
}

export function signOut(): void {
  remember(null);
  // Where nobody answers, it ends by itself.
  ending = endSession().catch(() => undefined);
  forget();
}

function forget(): void {
  signedIn = null;
  forgetSession();
  changed();
}

const REMEMBERED = 'parley-signed-in-as';

/** Scripts do not see the cookie: without this, whoever has none would be asked for it, and refused. */
function remember(kind: Kind | null): void {
  try {
    if (kind === null) localStorage.removeItem(REMEMBERED);
    else localStorage.setItem(REMEMBERED, kind);
  } catch {
    // This browser keeps nothing.
  }
}

/** Whose session the cookie may be of, the likelier first. */
function remembered(): Kind[] {
  try {
    const kind = localStorage.getItem(REMEMBERED);
    if (kind === null) return [];
    return kind === 'operator' ? ['operator', 'key'] : ['key', 'operator'];
  } catch {
    return ['key', 'operator'];
  }
}

/** Signs out when the key has ended meanwhile. */
export function endedBy(error: unknown): boolean {
  if (!(error instanceof ParleyError) || error.status !== 401) return false;
  if (signedIn !== null) forget();
  return true;
}

/** Whether the key may do it; what it may not is not offered. */
export const may = (scope: 'read' | 'write' | 'send'): boolean =>
  session()?.key.scopes.includes(scope) ?? false;
