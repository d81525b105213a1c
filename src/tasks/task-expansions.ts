import type { Expansions } from '#http/expansion/expandable.js';
import type { TaskResponse } from './tasks.dto.js';

/** What may be shown in a task. */
export const TASK_EXPANSIONS: Expansions<TaskResponse> = {
  agent: { kind: 'agent', named: ({ agent_id }) => agent_id },
  company: { kind: 'company', named: ({ company_id }) => company_id },
  contact: { kind: 'contact', named: ({ contact_id }) => contact_id },
  sale: { kind: 'sale', named: ({ sale_id }) => sale_id },
};
