import { href, useRoute } from '../data/route.js';
import { isOperator } from '../data/session.js';

const FOR_OPERATORS = [
  'metrics',
  'doctor',
  'deliveries',
  'read-models',
  'webhooks',
  'channels',
  'keys',
  'organizations',
] as const;

export type Tab = (typeof FOR_OPERATORS)[number];

/** What an API key may see of operations. */
const FOR_KEYS: Tab[] = ['deliveries', 'webhooks'];

export const tabsHere = (): readonly Tab[] => (isOperator() ? FOR_OPERATORS : FOR_KEYS);

/** The address of a tab, or of a record in it; `new` is that of a form. The organization stays. */
export function to(tab: Tab, id: string | null = null, query: Record<string, string | null> = {}): string {
  const org = new URLSearchParams(location.search).get('org');
  return href(['operations', tab, ...(id === null ? [] : [id])], { org, ...query });
}

/** The tab of the address, and what is chosen in it. */
export function usePlace(): { tab: Tab | undefined; id: string | null; query: URLSearchParams } {
  const { path, query } = useRoute();
  const tabs = tabsHere();
  const tab = path[1] === undefined ? tabs[0] : tabs.find((one) => one === path[1]);
  return { tab, id: path[2] ?? null, query };
}
