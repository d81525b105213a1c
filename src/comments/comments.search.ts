import { beginningOf } from '#kernel/text.js';
import { recordsOf, type SearchSource } from '../search/search.contract.js';
import { comments } from './comments.projection.js';

/** Characters of the text that stand for a comment. */
const TITLE = 100;

/** What comments are found by. */
export const COMMENTS_SEARCH: SearchSource = recordsOf({
  aggregate: comments,
  idKinds: ['comment'],
  documentOf: ({ record_type, record_id, agent_id, body, created_at }) => ({
    type: 'comment',
    title: beginningOf(body, TITLE),
    conversation_id: record_type === 'conversation' ? record_id : null,
    occurred_at: created_at,
    agent_id,
    contact_ids: record_type === 'contact' ? [record_id] : [],
    modality: null,
    fields: [{ name: 'body', text: body }],
  }),
});
