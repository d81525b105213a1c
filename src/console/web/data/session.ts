import { type Api, apiBySession, beginSession, endSession, ParleyError } from './api.js';

export interface Me {
  key: { key_id: string; name: string; scopes: string[]; read_only: boolean; expires_at: string | null };
  agent: { agent_id: string; name: string; organization_id: string } | null;
  organizations: { organization_id: string; name: string }[];
}

type Kind = 'key' | 'operator';

/** Whose API key a session is of; or that it is the operators'. */
let signedIn: Me | 'operator' | null = null;
let changed: () => void = () => undefined;

export const onSession = (tell: () => void): void => void (changed = tell);

export const isSignedIn = (): boolean => signedIn !== null;

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
  const kind = API_KEY.test(key) ? 'key' : 'operator';
  await beginSession(key, kind === 'key' ? 'X-API-KEY' : 'X-ADMIN-KEY');
  await enter(kind);
}

/** Goes on with the session that the browser has a cookie of, where it has one. */
export async function resume(): Promise<void> {
  for (const kind of remembered()) {
    const isIn = await enter(kind).then(
      () => true,
      () => false,
    );
    if (isIn) return;
  }
}

async function enter(kind: Kind): Promise<void> {
  if (kind === 'key') signedIn = await apiBySession.GET<Me>('/api/v2/me');
  else {
    await apiBySession.GET('/admin/v1/organizations');
    signedIn = 'operator';
  }
  remember(kind);
  changed();
}

export function signOut(): void {
  remember(null);
  forget();
  // Where nobody answers, it ends by itself.
  endSession().catch(() => undefined);
}

function forget(): void {
  signedIn = null;
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
