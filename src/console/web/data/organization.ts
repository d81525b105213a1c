import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api, Options } from './api.js';
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
  const zone = useZoneOf(id);
  if (zone !== null) tellTimesIn(zone);
  return id;
}

const useZoneOf = (id: string | null): string | null =>
  useKept(id && `organization ${id}`, () => callsOf(id!).GET<{ timezone: string }>('')).data?.timezone ??
  null;

/** The time zone of the organization, once it is known. */
export const useZone = (): string | null => useZoneOf(useContext(Organization));

const WITHIN = '/api/v2/organizations/{organization_id}';

/** The API within one organization: paths are those below it. */
export type Calls = Api;

function callsOf(organization_id: string): Calls {
  const within = ({ params, ...options }: Options = {}): Options => ({
    ...options,
    params: { ...params, path: { ...params?.path, organization_id } },
  });
  return {
    GET: (path, options) => api().GET(WITHIN + path, within(options)),
    POST: (path, options) => api().POST(WITHIN + path, within(options)),
    PATCH: (path, options) => api().PATCH(WITHIN + path, within(options)),
    DELETE: (path, options) => api().DELETE(WITHIN + path, within(options)),
    file: (path, options) => api().file(WITHIN + path, within(options)),
  };
}

export function useCalls(): Calls {
  return callsOf(useContext(Organization));
}
