import { Comments } from '../comments/comments.js';
import { useRoute } from '../data/route.js';
import { Contacts, Conversations, Sales, Tasks } from '../records/linked-lists.js';
import { MergeRecords } from '../records/merge-records.js';
import { RecordList } from '../records/record-list.js';
import { RecordPage } from '../records/record-page.js';
import { Time } from '../parts/states.js';
import { words } from '../words/words.js';
import { companyKind } from './kind.js';
import { Timeline } from './timeline.js';

const { companies: text, contact: field, records } = words;

/** All companies, or one of them. */
export default function Companies() {
  const { path } = useRoute();
  const [, id, act] = path;
  if (id === undefined) return <List />;
  if (act === 'merge') return <MergeRecords key={id} kind={companyKind} id={id} />;
  const of = { company_id: id };
  return (
    <RecordPage
      key={id}
      kind={companyKind}
      id={id}
      tabs={[
        { name: 'timeline', label: field.timeline, show: () => <Timeline of={id} /> },
        { name: 'contacts', label: words.places.contacts, show: () => <Contacts of={of} /> },
        { name: 'conversations', label: field.conversations, show: () => <Conversations of={of} /> },
        { name: 'sales', label: records.sales, show: () => <Sales of={of} /> },
        { name: 'tasks', label: records.tasks, show: () => <Tasks of={of} /> },
        {
          name: 'comments',
          label: records.comments,
          show: () => <Comments of={{ place: 'companies', id }} />,
        },
      ]}
    />
  );
}

const List = () => (
  <RecordList
    kind={companyKind}
    filters={[]}
    columns={[
      { name: 'domain', label: text.domain, draw: ({ domain }) => domain },
      { name: 'agent', label: text.agent, draw: ({ agent }) => agent?.name },
      { name: 'address', label: text.address, draw: ({ address }) => address },
      { name: 'created_at', label: field.since, draw: ({ created_at }) => <Time at={created_at} /> },
    ]}
  />
);
