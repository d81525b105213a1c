import { Injectable } from '@nestjs/common';
import type { Page } from '#http/paging/page.dto.js';
import type { Condition, List } from '#http/paging/list.js';
import { Pages } from '#http/paging/page.js';
import { invalid } from '#http/problems/problem.js';
import { Directory } from '../../workspace/workspace.contract.js';
import { COHORT, VOLUME } from './conversation-figures.queries.js';
import { OPEN_GAP, reachingTo } from '../facts/gap-classes.js';
import type { AnalyticsRecordResponse, Figure, ListRecordsQuery } from './records.dto.js';
import { acceptedColumn } from './sale-figures.queries.js';

interface Row {
  conversation_id?: string;
  message_id?: string;
  sale_id?: string;
  first_inbound_at: string;
  sent_at: string;
  inbound_at: string;
  response_us: string;
  created_at: string;
  accepted_at: string;
  entered_at: string;
  left_at: string | null;
  currency: string | null;
  total_price: string | null;
}

/** The source of a figure's records: where they are, conditions beside the window's, and what is shown. */
interface Source {
  from: Omit<List, 'name'>;
  agent: 'none' | 'optional' | 'required';
  conditions: (query: ListRecordsQuery) => Condition[];
  shown: (row: Row) => AnalyticsRecordResponse;
}

/** Conversations by their first inbound message. */
const conversations = (where: string): Source => ({
  from: {
    select: 'SELECT conversation_id, first_inbound_at FROM analytics_conversation',
    sort: 'first_inbound_at',
    id: 'conversation_id',
    where,
  },
  agent: 'none',
  conditions: within('first_inbound_at'),
  shown: ({ first_inbound_at: at, conversation_id }) => ({ at, conversation_id }),
});

const messages = (where: string, agent: Source['agent'] = 'none'): Source => ({
  from: {
    select: 'SELECT conversation_id, message_id, sent_at FROM analytics_message',
    sort: 'sent_at',
    id: 'message_id',
    where,
  },
  agent,
  conditions: (query) => [['agent_id =', query.agent_id], ...within('sent_at')(query)],
  shown: ({ sent_at: at, conversation_id, message_id }) => ({ at, conversation_id, message_id }),
});

/** An agent's first response in the window in each conversation: the agent's previous one, if any, is before the window. */
const firstResponses: Source = {
  ...messages(`message_direction = 'sent' AND is_response`, 'required'),
  conditions: (query) => [
    ['agent_id =', query.agent_id],
    ...within('sent_at')(query),
    [`coalesce(previous_at, '-infinity') < ?::timestamptz`, query.start_date],
  ],
};

const turns: Source = {
  from: {
    select: 'SELECT conversation_id, message_id, inbound_at, response_us FROM analytics_turn',
    sort: 'inbound_at',
    id: 'message_id',
  },
  agent: 'none',
  conditions: within('inbound_at'),
  shown: ({ inbound_at: at, conversation_id, message_id, response_us }) => ({
    at,
    conversation_id,
    message_id,
    response_seconds: Number(response_us) / 1e6,
  }),
};

const salesCreated: Source = {
  from: { select: 'SELECT sale_id, created_at FROM analytics_sale', sort: 'created_at', id: 'sale_id' },
  agent: 'optional',
  conditions: (query) => [['owner_id =', query.agent_id], ...within('created_at')(query)],
  shown: ({ created_at: at, sale_id }) => ({ at, sale_id }),
};

const salesAccepted = (column: string): Source => ({
  ...salesCreated,
  from: {
    ...salesCreated.from,
    select: `SELECT sale_id, created_at, ${column} AS accepted_at FROM analytics_sale`,
    where: `${column} IS NOT NULL`,
  },
  shown: ({ created_at: at, sale_id, accepted_at }) => ({ at, sale_id, accepted_at }),
});

/**
 * Stays that overlap the window, by the class of their length. Only stays that begin in the window, or no further before it
 * than their class reaches, are looked at, however many years lie around it.
 */
const staysInStage: Source = {
  from: {
    select: 'SELECT sale_id, entered_at, left_at, currency, total_price::text FROM analytics_stay',
    sort: 'entered_at',
    id: 'sale_id',
    where: 'gap = class',
    each: `SELECT one.* FROM generate_series(0, ${OPEN_GAP}) AS class`,
  },
  agent: 'optional',
  conditions: (query) => [
    ['owner_id =', query.agent_id],
    ['status_id =', query.status_id],
    ['entered_at >= (?::timestamptz[])[class + 1]', reachingTo(query.start_date)],
    ['entered_at < ?::timestamptz', query.end_date],
    [`coalesce(left_at, 'infinity') > ?::timestamptz`, query.start_date],
  ],
  shown: ({ entered_at: at, sale_id, left_at, currency, total_price }) => ({
    at,
    sale_id,
    left_at,
    currency,
    total_price,
  }),
};

const SOURCES: Record<Exclude<Figure, 'salesAccepted'>, Source> = {
  numConversationsRespondedTo: conversations(COHORT.responded_to),
  numConversationsReceived: conversations(COHORT.received),
  totalConversations: conversations(COHORT.received),
  responseTime: turns,
  numResponses: turns,
  numMessagesReceived: messages(VOLUME.messages_received),
  numMessagesSent: messages(VOLUME.messages_sent),
  textMessages: conversations(COHORT.texts),
  calls: conversations(COHORT.calls),
  emails: conversations(COHORT.emails),
  liveChats: conversations(COHORT.live_chats),
  formRequests: conversations(COHORT.form_requests),
  conversationsRespondedTo: firstResponses,
  messagesSent: messages(VOLUME.messages_sent, 'required'),
  pipeline: staysInStage,
  salesCreated,
};

/** The lists of the records behind figures. Each selects exactly what its figure counts. */
@Injectable()
export class RecordsQueries {
  constructor(
    private readonly pages: Pages,
    private readonly directory: Directory,
  ) {}

  /** Throws 400 when the query lacks an agent or stage that the figure needs, or has one that the figure does not take. */
  async list(organizationId: string, query: ListRecordsQuery): Promise<Page<AnalyticsRecordResponse>> {
    const { figure, limit, cursor } = query;
    const source =
      figure === 'salesAccepted'
        ? salesAccepted(acceptedColumn(await this.directory.stages(organizationId)))
        : SOURCES[figure];
    requireFitting('agent_id', query, source.agent);
    requireFitting('status_id', query, figure === 'pipeline' ? 'required' : 'none');
    const { data, pagination } = await this.pages.read<Row>(
      { name: `analytics_${figure}`, ...source.from },
      [['organization_id =', organizationId], ...source.conditions(query)],
      { limit, cursor },
    );
    return { data: data.map(source.shown), pagination };
  }
}

/** Conditions for an instant to be in the window. */
function within(column: string): Source['conditions'] {
  return ({ start_date, end_date }) => [
    [`${column} >= ?::timestamptz`, start_date],
    [`${column} < ?::timestamptz`, end_date],
  ];
}

function requireFitting(
  field: 'agent_id' | 'status_id',
  query: ListRecordsQuery,
  rule: Source['agent'],
): void {
  const isGiven = query[field] !== undefined;
  if (rule === 'required' && !isGiven)
    throw invalid([{ field, detail: `is required for the figure ${query.figure}` }]);
  if (rule === 'none' && isGiven)
    throw invalid([{ field, detail: `does not apply to the figure ${query.figure}` }]);
}
