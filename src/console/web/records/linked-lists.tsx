import { contactKind } from '../contacts/kind.js';
import { useCalls } from '../data/organization.js';
import type { Contact, Conversation, Page, Sale, Task } from '../data/records.js';
import { changedQuery, href } from '../data/route.js';
import { money } from '../format.js';
import { modalityIcon } from '../parts/icon.js';
import { words } from '../words/words.js';
import { LinkedList } from './linked-list.js';
import { LinkedRow } from './linked-row.js';

const { records: text } = words;
const PAGE = 50;

/** Whose records they are, as filters of lists name it. */
type Owner = { contact_id: string } | { company_id: string };

const org = () => changedQuery({}).get('org');
const keyOf = (what: string, of: Owner | { sale_id: string }): string =>
  `${what} of ${Object.values(of).join('')}`;

export function Conversations({ of }: { of: Owner }) {
  const calls = useCalls();
  // All in which the contact wrote, also those that others began.
  const path = 'contact_id' in of ? `/contacts/${of.contact_id}/conversations` : '/conversations';
  const filters = 'contact_id' in of ? {} : of;
  return (
    <>
      <a class="record-more" href={href(['inbox'], { org: org(), status: 'all', ...of })}>
        {text.inInbox}
      </a>
      <LinkedList<Conversation>
        of={keyOf('all conversations', of)}
        label={words.contact.conversations}
        load={(cursor) =>
          calls.GET<Page<Conversation>>(path, { params: { query: { ...filters, limit: PAGE, cursor } } })
        }
        idOf={({ conversation_id }) => conversation_id}
        none={text.noConversations}
        draw={(row) => (
          <LinkedRow
            to={href(['inbox', row.conversation_id], { org: org(), status: 'all', ...of })}
            icon={modalityIcon(row.last_message.modality)}
            title={row.subject ?? (row.preview || words.inbox.noSubject)}
            facts={[words.inbox.status[row.status], row.subject === null ? '' : row.preview]}
            at={row.last_activity_at}
          />
        )}
      />
    </>
  );
}

export function Sales({ of }: { of: Owner }) {
  const calls = useCalls();
  return (
    <LinkedList<Sale>
      of={keyOf('sales', of)}
      label={text.sales}
      load={(cursor) =>
        calls.GET<Page<Sale>>('/sales', { params: { query: { ...of, limit: PAGE, cursor } } })
      }
      idOf={({ sale_id }) => sale_id}
      none={text.noSales}
      draw={({ sale_id, name, current_status, quote_details, last_activity_at }) => (
        <LinkedRow
          to={href(['pipeline', sale_id], { org: org() })}
          icon="pipeline"
          title={name ?? text.unnamedSale}
          facts={[
            current_status?.label ?? '',
            quote_details ? money(quote_details.output.total_price, quote_details.output.currency) : '',
          ]}
          at={last_activity_at}
        />
      )}
    />
  );
}

export function Tasks({ of }: { of: Owner | { sale_id: string } }) {
  const calls = useCalls();
  return (
    <LinkedList<Task>
      of={keyOf('tasks', of)}
      label={text.tasks}
      load={(cursor) =>
        calls.GET<Page<Task>>('/tasks', { params: { query: { ...of, limit: PAGE, cursor } } })
      }
      idOf={({ task_id }) => task_id}
      none={text.noTasks}
      draw={({ task_id, title, completed_at, due_at }) => (
        <LinkedRow
          to={href(['tasks', task_id], { org: org() })}
          icon="task"
          title={title}
          facts={[completed_at === null ? (due_at === null ? text.open : text.due) : text.done]}
          at={completed_at ?? due_at}
        />
      )}
    />
  );
}

export function Contacts({ of }: { of: { company_id: string } }) {
  const calls = useCalls();
  return (
    <>
      <a class="record-more" href={href(['contacts'], { org: org(), ...of })}>
        {text.inContacts}
      </a>
      <LinkedList<Contact>
        of={keyOf('contacts', of)}
        label={words.places.contacts}
        load={(cursor) =>
          calls.GET<Page<Contact>>('/contacts', { params: { query: { ...of, limit: PAGE, cursor } } })
        }
        idOf={contactKind.idOf}
        none={text.noContacts}
        draw={(row) => (
          <LinkedRow
            to={href(['contacts', row.contact_id], { org: org() })}
            icon="person"
            title={contactKind.titleOf(row)}
            facts={[row.company_role ?? '', row.email, row.phone_number]}
          />
        )}
      />
    </>
  );
}
