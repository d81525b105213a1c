import type { FeedEvent } from '../data/api.js';
import { useAgents } from '../inbox/use-conversations.js';
import { words } from '../words/words.js';

/** Says who did it: an agent by name, all others by what they are. */
export function useActorName(): (actor: FeedEvent['actor']) => string {
  const agents = useAgents();
  return ({ type, id }) =>
    agents.find(({ agent_id }) => agent_id === id)?.name ?? words.events.actor[type] ?? type;
}
