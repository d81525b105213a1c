import { api, isOperator, session } from '../data/session.js';
import { type Kept, useKept } from '../data/store.js';
import type { AdminOrganization, List } from './records.js';

/** All organizations, newest first; only operators may ask. */
export const useAllOrganizations = (): Kept<List<AdminOrganization>> =>
  useKept(isOperator() ? 'ops organizations' : null, () =>
    api().GET<List<AdminOrganization>>('/admin/v1/organizations'),
  );

/** Ids and names of the organizations that whoever is signed in sees; undefined until they are known. */
export function useNamed(): { organization_id: string; name: string }[] | undefined {
  const all = useAllOrganizations();
  return session()?.organizations ?? all.data?.data;
}

/** Calls organizations by their names, as far as they are known. */
export function useNames(): (id: string) => string {
  const names = new Map(useNamed()?.map(({ organization_id, name }) => [organization_id, name]));
  return (id) => names.get(id) ?? id;
}
