import { type Api, apiBySession, beginSession, endSession, ParleyError } from './api.js';

export interface Me {
  key: { key_id: string; name: string; scopes: string[]; read_only: boolean; expires_at: string | null };
  agent: { agent_id: string; name: string; organization_id: string } | null;
  organizations: { organization_id: string; name: string }[];
}

let signedIn: Me | null = null;
let changed: () => void = () => undefined;

export const onSession = (tell: () => void): void => void (changed = tell);

/** Who is signed in; null for nobody. */
export const session = (): Me | null => signedIn;

/** The API as whoever is signed in may call it. */
export function api(): Api {
  if (signedIn === null) throw new ParleyError(401, { code: 'unauthorized', detail: '' });
  return apiBySession;
}

/** The key is sent this once, and kept nowhere. Throws `ParleyError` when it is refused. */
export async function signIn(key: string): Promise<void> {
  await beginSession(key);
  await resume();
}

/** Goes on with the session that the browser has a cookie of; throws `ParleyError` where there is none. */
export async function resume(): Promise<void> {
  signedIn = await apiBySession.GET<Me>('/api/v2/me');
  changed();
}

export function signOut(): void {
  forget();
  // Where nobody answers, it ends by itself.
  endSession().catch(() => undefined);
}

function forget(): void {
  signedIn = null;
  changed();
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
