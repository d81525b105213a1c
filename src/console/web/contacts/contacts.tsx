import { Comments } from '../comments/comments.js';
import { changedQuery, href, useRoute } from '../data/route.js';
import { Conversations, Sales, Tasks } from '../records/linked-lists.js';
import { MergeRecords } from '../records/merge-records.js';
import { RecordList } from '../records/record-list.js';
import { ShownValue } from '../records/shown-value.js';
import { RecordPage } from '../records/record-page.js';
import { Time } from '../parts/states.js';
import { words } from '../words/words.js';
import { Duplicates } from './duplicates.js';
import { contactKind } from './kind.js';
import { Timeline } from './timeline.js';

const { contacts: text, contact: field, records } = words;

const COMPANY = contactKind.fields.find(({ type }) => type === 'company')!;

/** All contacts, those that may be twice, or one of them. */
export default function Contacts() {
  const { path } = useRoute();
  const [, id, act] = path;
  if (id === undefined) return <List />;
  if (id === 'duplicates') return <Duplicates />;
  if (act === 'merge') return <MergeRecords key={id} kind={contactKind} id={id} />;
  const of = { contact_id: id };
  return (
    <RecordPage
      key={id}
      kind={contactKind}
      id={id}
      tabs={[
        { name: 'timeline', label: field.timeline, show: () => <Timeline of={id} /> },
        { name: 'conversations', label: field.conversations, show: () => <Conversations of={of} /> },
        { name: 'sales', label: records.sales, show: () => <Sales of={of} /> },
        { name: 'tasks', label: records.tasks, show: () => <Tasks of={of} /> },
        {
          name: 'comments',
          label: records.comments,
          show: () => <Comments of={{ place: 'contacts', id }} />,
        },
      ]}
    />
  );
}

const List = () => (
  <RecordList
    kind={contactKind}
    filters={['company_id']}
    columns={[
      { name: 'email', label: field.email, draw: ({ email }) => email },
      { name: 'phone_number', label: field.phone, draw: ({ phone_number }) => phone_number },
      { name: 'company', label: field.company, draw: ({ company }) => company?.name },
      { name: 'created_at', label: field.since, draw: ({ created_at }) => <Time at={created_at} /> },
    ]}
    head={
      <>
        <OfCompany />
        <a class="button" href={href(['contacts', 'duplicates'], { org: changedQuery({}).get('org') })}>
          {text.duplicates}
        </a>
      </>
    }
  />
);

/** Of which company the list is, where it is of one. */
function OfCompany() {
  const { query } = useRoute();
  const id = query.get('company_id');
  return id && <ShownValue field={COMPANY} value={id} linked />;
}
