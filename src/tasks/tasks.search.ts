import { recordsOf, type SearchSource } from '../search/search.contract.js';
import { tasks } from './tasks.projection.js';

/** What tasks are found by. */
export const TASKS_SEARCH: SearchSource = recordsOf({
  aggregate: tasks,
  idKinds: ['task'],
  unchangedBy: ['TaskCompleted', 'TaskReopened'],
  documentOf: ({ title, notes, agent_id, contact_id, created_at }) => ({
    type: 'task',
    title,
    conversation_id: null,
    occurred_at: created_at,
    agent_id,
    contact_ids: contact_id === null ? [] : [contact_id],
    modality: null,
    fields: [
      { name: 'title', text: title, kind: 'title' },
      { name: 'notes', text: notes },
    ],
  }),
});
