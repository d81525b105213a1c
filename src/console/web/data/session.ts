import { type Api, apiWith, ParleyError } from './api.js';

export interface Me {
  key: { key_id: string; name: string; scopes: string[]; read_only: boolean; expires_at: string | null };
  agent: { agent_id: string; name: string; organization_id: string } | null;
  organizations: { organization_id: string; name: string }[];
}

/** With the key in the memory of this tab alone, gone with it. */
let signedIn: { api: Api; me: Me } | null = null;
let changed: () => void = () => undefined;

export const onSession = (tell: () => void): void => void (changed = tell);

/** Who is signed in; null for nobody. */
export const session = (): Me | null => signedIn?.me ?? null;

/** The API as whoever is signed in may call it. */
export function api(): Api {
  if (signedIn === null) throw new ParleyError(401, { code: 'unauthorized', detail: '' });
  return signedIn.api;
}

/** Throws `ParleyError` when the key is refused. */
export async function signIn(key: string): Promise<void> {
  const api = apiWith(key);
  signedIn = { api, me: await api.GET<Me>('/api/v2/me') };
  changed();
}

export function signOut(): void {
  signedIn = null;
  changed();
}

/** Signs out when the key has ended meanwhile. */
export function endedBy(error: unknown): boolean {
  if (!(error instanceof ParleyError) || error.status !== 401) return false;
  if (signedIn !== null) signOut();
  return true;
}

/** Whether the key may do it; what it may not is not offered. */
export const may = (scope: 'write' | 'send'): boolean => session()?.key.scopes.includes(scope) ?? false;
