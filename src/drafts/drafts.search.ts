import { beginningOf } from '#kernel/text.js';
import { recordsOf, type SearchSource } from '../search/search.contract.js';
import { textOf } from './content/html.js';
import { recipientsOf } from './draft-content.js';
import { drafts } from './drafts.projection.js';
import { modalitiesOfSaved } from './saved-modalities.queries.js';

/** Characters of a text that stand for a draft without a subject. */
const TITLE = 100;

const RECORDS = recordsOf({
  aggregate: drafts,
  idKinds: ['draft', 'response'],
  unchangedBy: [
    'DeliveryStarted',
    'DeliveryRetryScheduled',
    'DeliveryCompleted',
    'DeliveryFailed',
    'DeliveryBecameUncertain',
    'DraftUnscheduled',
  ],
  documentOf: (draft) => {
    if (draft.message_id !== null) return null;
    const text = textOf(draft.body_html ?? '');
    const addresses = [...recipientsOf(draft), ...draft.cc_emails, ...draft.bcc_emails];
    return {
      type: 'draft',
      title: draft.subject || beginningOf(text, TITLE),
      conversation_id: draft.conversation_id,
      occurred_at: draft.created_at,
      agent_id: draft.agent_id,
      contact_ids: [],
      modality: draft.modality,
      fields: [
        { name: 'subject', text: draft.subject, kind: 'title' },
        { name: 'body_html', text },
        { name: 'recipient_name', text: draft.recipient_name },
        ...addresses.map((email) => ({ name: 'recipient_email', text: email, kind: 'address' as const })),
        { name: 'recipient_phone_number', text: draft.recipient_phone_number, kind: 'number' },
        ...(draft.files ?? []).map(({ file_name }) => ({ name: 'files', text: file_name })),
      ],
    };
  },
});

/** What drafts are found by, until they are sent: then the message is. */
export const DRAFTS_SEARCH: SearchSource = {
  ...RECORDS,
  async present(reader, organizationId, ids) {
    const documents = await RECORDS.present(reader, organizationId, ids);
    for (const [id, modality] of await modalitiesOfSaved(reader, organizationId, [...documents.keys()]))
      documents.get(id)!.modality = modality;
    return documents;
  },
};
