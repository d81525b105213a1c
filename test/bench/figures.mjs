import { PAGE } from './data.mjs';

const CONTACT = {
  name: 'Grace Hopper',
  email: 'Grace@navy.example',
  phone_number: '+1 (202) 555-0143',
  company_role: 'Rear admiral',
};

const AT_LEAST = { get: 0.85, list: 0.9, create: 0.65, change: 0.6 };

/**
 * What is measured, one figure at least for each family of routes. Each is the rate of its first side divided by that of its
 * second: Parley and the bare server, or two pages of Parley, where the quotient is what the second costs in units of
 * the first.
 */
export function figuresOf({ parley, bare, toRead, toWrite, apiKey, cursors, made, contactIds, saleIds }) {
  const headers = { 'x-api-key': apiKey };
  const roots = [`${parley}/api/v2/organizations`, `${bare}/organizations`];
  const figure = (kind, name, title, organizationId, paths, rest = {}) => ({
    name,
    title,
    atLeast: AT_LEAST[kind],
    sides: roots.map((root) => ({
      headers,
      urls: paths.map((path) => `${root}/${organizationId}/${path}`),
      ...rest,
    })),
  });
  const get = (name, title, paths, organizationId = toWrite) =>
    figure('get', name, title, organizationId, paths);
  const list = (name, title, path, organizationId = toWrite) =>
    figure('list', name, title, organizationId, [`${path}?limit=${PAGE}`]);
  const create = (name, title, path, body) =>
    figure('create', name, title, toWrite, [path], { bodies: [body].flat() });
  const change = (name, title, paths, bodies) =>
    figure('change', name, title, toWrite, paths, { method: 'PATCH', bodies });
  const page = (number) => ({
    headers,
    urls: [
      `${roots[0]}/${toRead}/contacts?limit=${PAGE}${cursors[number] === null ? '' : `&cursor=${cursors[number]}`}`,
    ],
  });
  const filtered = (name, title, path, query) => ({
    name,
    title,
    atMost: 1.5,
    same: true,
    sides: ['', `&${query}`].map((more) => ({
      headers,
      urls: [`${roots[0]}/${toWrite}/${path}?limit=${PAGE}${more}`],
    })),
  });
  const searched = (name, title, way) => ({
    name,
    title,
    atLeast: 0.1,
    sides: roots.map((root, nr) => ({
      headers,
      urls: [`${root}/${toWrite}/search?types=message&q=renewal&limit=${PAGE}${nr === 0 ? '' : way}`],
    })),
  });
  const { bodies, messages } = made;
  const below = (path, ids) => ids.map((id) => `${path}/${id}`);
  const conversations = below(
    'conversations',
    messages.map(({ conversation_id }) => conversation_id),
  );
  return [
    get('get', 'get one contact', below('contacts', contactIds), toRead),
    list('list', `list ${PAGE} contacts`, 'contacts', toRead),
    create('create', 'create a contact', 'contacts', CONTACT),
    change('change', 'change a contact', below('contacts', made.contactIds), [
      { company_role: 'Rear admiral' },
      { company_role: 'Commodore' },
    ]),
    {
      name: 'page',
      title: 'cost of page 1,000 in pages 1',
      atMost: 1.2,
      same: true,
      sides: [page(1), page(1_000)],
    },
    list('list-companies', `list ${PAGE} companies`, 'companies'),
    create('create-company', 'create a company', 'companies', { name: 'Navy', domain: 'navy.example' }),
    list('list-agents', `list ${PAGE} agents`, 'agents'),
    get('get-conversation', 'get one conversation', conversations),
    list('list-conversations', `list ${PAGE} conversations`, 'conversations'),
    change('change-conversation', 'read a conversation, or not', conversations, [
      { is_read: true },
      { is_read: false },
    ]),
    get(
      'get-message',
      'get one message',
      messages.map((one) => `conversations/${one.conversation_id}/messages/${one.message_id}`),
    ),
    get(
      'list-messages',
      'messages of a conversation',
      conversations.map((path) => `${path}/messages`),
    ),
    create(
      'record-message',
      'record a message',
      'messages',
      messages.map(({ conversation_id }) => ({
        conversation_id,
        modality: 'email',
        message_direction: 'received',
        content: 'Shall we talk about the renewal?',
      })),
    ),
    get('get-draft', 'get one message draft', below('message-drafts', made.draftIds)),
    list('list-drafts', `list ${PAGE} message drafts`, 'message-drafts'),
    create('create-draft', 'save a message draft', 'message-drafts', bodies.messageDraft),
    figure(
      'change',
      'save-response',
      'overwrite a response draft',
      toWrite,
      conversations.map((path) => `${path}/response-drafts`),
      {
        bodies: ['<p>Gladly.</p>', '<p>With pleasure.</p>'].map((body_html) => ({
          body_html,
          add_notification: false,
        })),
      },
    ),
    get('get-sale', 'get one sale', below('sales', saleIds), toRead),
    list('list-sales', `list ${PAGE} sales`, 'sales', toRead),
    create('create-sale', 'create a sale', 'sales', bodies.sale),
    // The present stage again, which extends the history like any other.
    change('move-sale', 'change the stage of a sale', below('sales', made.movedIds), [
      { status_id: bodies.sale.status_id },
    ]),
    get('list-stages', 'stages of the pipeline', ['sale-statuses']),
    get('get-task', 'get one task', below('tasks', made.taskIds)),
    list('list-tasks', `list ${PAGE} tasks`, 'tasks'),
    create('create-task', 'create a task', 'tasks', bodies.task),
    change('change-task', 'change a task', below('tasks', made.taskIds), [
      { title: 'Call about the renewal' },
      { title: 'Write about the renewal' },
    ]),
    list('list-audit', `list ${PAGE} audit logs`, 'audit-logs'),
    list('list-events', `${PAGE} events of the feed`, 'events'),
    filtered('filter', 'cost of a filter in pages without', 'conversations', 'is_read=false'),
    filtered(
      'filters',
      'cost of three filters in pages without',
      'conversations',
      'waiting=true&modality=email&has_draft=true',
    ),
    filtered('order', 'cost of another order in pages', 'conversations', 'sort=waiting_since'),
    // A word that all messages have, the worst one.
    searched('search', 'search a word, against tsvector', ''),
    searched('search-like', 'search a word, against LIKE', '&like=1'),
  ];
}
