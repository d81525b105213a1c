import { createClient, ParleyError } from '../api.js';

export interface Me {
  key: { key_id: string; name: string; scopes: string[]; read_only: boolean; expires_at: string | null };
  agent: { agent_id: string; name: string; organization_id: string } | null;
  organizations: { organization_id: string; name: string }[];
}

/** In the memory of this tab alone, gone with it. */
let key: string | null = null;
let me: Me | null = null;
let changed: () => void = () => undefined;

export const api = createClient({
  baseUrl: location.origin,
  headers: (): Record<string, string> => (key === null ? {} : { 'x-api-key': key, 'x-parley-console': '1' }),
});

export const onSession = (tell: () => void): void => void (changed = tell);

/** Who is signed in; null for nobody. */
export const session = (): Me | null => me;

/** Throws `ParleyError` when the key is refused. */
export async function signIn(given: string): Promise<Me> {
  key = given;
  try {
    me = await api.GET<Me>('/api/v2/me');
  } catch (error) {
    key = null;
    throw error;
  }
  changed();
  return me;
}

export function signOut(): void {
  key = null;
  me = null;
  changed();
}

/** Signs out when the key has ended meanwhile. */
export function endedBy(error: unknown): boolean {
  if (!(error instanceof ParleyError) || error.status !== 401 || me === null) return false;
  signOut();
  return true;
}

/** Whether the key may do it; what it may not is not offered. */
export const may = (scope: 'write' | 'send'): boolean => me?.key.scopes.includes(scope) ?? false;
