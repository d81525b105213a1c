import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Options } from '../api.js';
import { tellTimesIn } from '../format.js';
import { useRoute } from './route.js';
import { api, session } from './session.js';
import { useKept } from './store.js';

export const Organization = createContext<string>('');

/** The organization whose records are shown: `org` of the address, else the first that the key sees. */
export function useOrganization(): string | null {
  const { query } = useRoute();
  const organizations = session()?.organizations ?? [];
  const asked = organizations.find(({ organization_id }) => organization_id === query.get('org'));
  const id = (asked ?? organizations[0])?.organization_id ?? null;
  const details = useKept(id && `organization ${id}`, () => callsOf(id!).GET<{ timezone: string }>(''));
  if (details.data) tellTimesIn(details.data.timezone);
  return id;
}

const WITHIN = '/api/v2/organizations/{organization_id}';

export type Calls = ReturnType<typeof callsOf>;

/** Calls paths within one organization. */
export function callsOf(organization_id: string) {
  const within =
    <Call extends (path: string, options?: Options) => unknown>(call: Call) =>
    (path: string, options: Options = {}) =>
      call(WITHIN + path, {
        ...options,
        params: { ...options.params, path: { ...options.params?.path, organization_id } },
      });
  return {
    GET: within(api.GET) as typeof api.GET,
    POST: within(api.POST) as typeof api.POST,
    PATCH: within(api.PATCH) as typeof api.PATCH,
    DELETE: within(api.DELETE) as typeof api.DELETE,
    file: within(api.file) as typeof api.file,
  };
}

export function useCalls(): Calls {
  return callsOf(useContext(Organization));
}
