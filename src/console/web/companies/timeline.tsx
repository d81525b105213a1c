import { type Calls, useCalls } from '../data/organization.js';
import type { AuditRecord, Comment, Conversation, Page, Sale, Task, TimelineEntry } from '../data/records.js';
import { TimelineList } from '../records/timeline-list.js';
import { mergedPage, type Source } from './merged-pages.js';

const PAGE = 50;

/**
 * What happened with one company, the latest first: the latest message of each conversation, sales and tasks when they were made,
 * comments and changes. The API has the timeline of a contact only, so it is made of the lists that there are.
 */
export function Timeline({ of }: { of: string }) {
  const calls = useCalls();
  return (
    <TimelineList
      of={of}
      load={(cursor) => mergedPage(sourcesOf(calls, of), cursor, ({ occurred_at }) => occurred_at)}
    />
  );
}

function sourcesOf(calls: Calls, company_id: string): Source<TimelineEntry>[] {
  const list =
    <Row,>(path: string, query: Record<string, string>, entryOf: (row: Row) => TimelineEntry) =>
    async (cursor: string | null): Promise<Page<TimelineEntry>> => {
      const params = { path: { company_id }, query: { ...query, limit: PAGE, cursor } };
      const { data, pagination } = await calls.GET<Page<Row>>(path, { params });
      return { data: data.map(entryOf), pagination };
    };
  return [
    list<Conversation>('/conversations', { company_id, sort: '-last_activity_at' }, ofConversation),
    list<Sale>('/sales', { company_id, sort: '-created_at' }, ofSale),
    list<Task>('/tasks', { company_id, sort: '-created_at' }, ofTask),
    list<Comment>('/companies/{company_id}/comments', {}, ofComment),
    list<AuditRecord>('/audit-logs', { record_type: 'company', record_id: company_id }, ofChange),
  ];
}

const ofConversation = (row: Conversation): TimelineEntry => ({
  type: 'message',
  id: row.last_message.message_id,
  occurred_at: row.last_activity_at,
  conversation_id: row.conversation_id,
  direction: row.last_message.direction,
  modality: row.last_message.modality,
  agent_id: row.agent_id,
  subject: row.subject,
  preview: row.preview,
});

const ofSale = ({ sale_id, created_at, name, owner_id }: Sale): TimelineEntry => ({
  type: 'sale',
  id: sale_id,
  occurred_at: created_at,
  name,
  agent_id: owner_id,
});

const ofTask = ({ task_id, created_at, title, agent_id }: Task): TimelineEntry => ({
  type: 'task',
  id: task_id,
  occurred_at: created_at,
  title,
  agent_id,
});

const ofComment = ({ comment_id, created_at, body, agent_id }: Comment): TimelineEntry => ({
  type: 'comment',
  id: comment_id,
  occurred_at: created_at,
  preview: body,
  agent_id,
});

const ofChange = ({
  audit_log_id,
  occurred_at,
  actor,
  action_type,
  changes,
}: AuditRecord): TimelineEntry => ({
  type: 'change',
  id: audit_log_id,
  occurred_at,
  agent_id: actor.type === 'agent' ? actor.id : null,
  action_type,
  changes,
});
