import type { Agent } from '../data/records.js';
import { api } from '../data/session.js';
import { type Kept, useKept } from '../data/store.js';
import type { List } from './records.js';

export const AGENTS = '/admin/v1/organizations/{organization_id}/agents';

export const agentsKey = (organization: string): string => `ops agents ${organization}`;

/** Who works for an organization; nobody is asked for without one. */
export const useAgentsOf = (organization: string | null): Kept<List<Agent>> =>
  useKept(organization && agentsKey(organization), () =>
    api().GET<List<Agent>>(AGENTS, { params: { path: { organization_id: organization! } } }),
  );
