import { foundByIds } from '#database/by-ids.js';
import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import { RowReader } from '#database/statements/row-reader.js';
import { isId } from '#kernel/id.js';
import type { Page, UpdatedPageQuery } from '#http/paging/page.dto.js';
import type { Condition, List } from '#http/paging/list.js';
import { Pages } from '#http/paging/page.js';
import { notFound, Problem } from '#http/problems/problem.js';
import { merged } from '#http/records/merge-record.js';
import { atVersion } from '#http/versions/versioned.js';
import type { ConversationResponse } from './conversations.dto.js';
import {
  conversationList,
  CONVERSATION_COLUMNS,
  CONVERSATIONS_OF_CONTACT,
} from './conversation-lists.queries.js';
import type { ListConversationsQuery } from './list-conversations.dto.js';
import { type ConversationRow, shownConversation } from './shown-conversation.js';

/** Reads of conversations. */
@Injectable()
export class ConversationQueries {
  private readonly conversations: RowReader<ConversationRow & { stream_version: number }>;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
  ) {
    this.conversations = new RowReader(database, {
      name: 'conversation',
      table: 'conversation',
      key: 'conversation_id',
      columns: `${CONVERSATION_COLUMNS}, stream_version`,
    });
  }

  list(organizationId: string, query: ListConversationsQuery): Promise<Page<ConversationResponse>> {
    const { list, conditions } = conversationList(query);
    return this.page(list, [['organization_id =', organizationId], ...conditions], query);
  }

  /** Those that the agent owns. */
  listOfAgent(
    organizationId: string,
    agent_id: string,
    query: UpdatedPageQuery,
  ): Promise<Page<ConversationResponse>> {
    const { list, conditions } = conversationList({ agent_id });
    return this.page(
      { ...list, name: 'conversations_of_agent' },
      [['organization_id =', organizationId], ...conditions],
      query,
    );
  }

  /** The contact's conversations, and those of others that the contact wrote in. */
  listOfContact(
    organizationId: string,
    contactId: string,
    query: UpdatedPageQuery,
  ): Promise<Page<ConversationResponse>> {
    const conditions: Condition[] = [
      ['organization_id =', organizationId],
      ['of_contact =', contactId],
    ];
    return this.page(CONVERSATIONS_OF_CONTACT, conditions, query);
  }

  private async page(
    list: List,
    conditions: Condition[],
    query: UpdatedPageQuery,
  ): Promise<Page<ConversationResponse>> {
    const page = await this.pages.read<ConversationRow>(list, conditions, query);
    return { ...page, data: page.data.map(shownConversation) };
  }

  async conversation(organizationId: string, id: string): Promise<ConversationResponse | undefined> {
    if (!isId('conv', id)) return undefined;
    const row = await this.conversations.one(organizationId, id);
    return row && atVersion(shownConversation(row), row.stream_version);
  }

  /**
   * The conversation. Throws a 404 when the organization has none with this id; for a merged one it names the one that
   * stays.
   */
  async existing(organizationId: string, id: string): Promise<ConversationResponse> {
    const found = await this.conversation(organizationId, id);
    if (!found) throw await this.missing(organizationId, id);
    return found;
  }

  /** The conversation that holds a merged one's messages now; undefined when it was never merged. */
  async mergedInto(
    organizationId: string,
    conversationId: string,
    tx: Reader = this.database,
  ): Promise<string | undefined> {
    const [row] = await tx.query<{ into_conversation_id: string }>({
      name: 'merged_into',
      text: `WITH RECURSIVE way AS (
               SELECT into_conversation_id, 1 AS step FROM merged_conversation
                WHERE organization_id = $1 AND conversation_id = $2
                UNION ALL
               SELECT m.into_conversation_id, step + 1 FROM way
                 JOIN merged_conversation m ON m.organization_id = $1 AND m.conversation_id = way.into_conversation_id)
             SELECT into_conversation_id FROM way ORDER BY step DESC LIMIT 1`,
      values: [organizationId, conversationId],
    });
    return row?.into_conversation_id;
  }

  /** The conversations of a contact, and those of others that the contact wrote in. */
  async withContact(
    tx: Reader,
    organizationId: string,
    contactId: string,
    limit: number | null,
  ): Promise<string[]> {
    const rows = await tx.query<{ conversation_id: string }>({
      name: 'conversations_with_contact',
      text: `SELECT conversation_id FROM conversation WHERE organization_id = $1 AND contact_id = $2
             UNION
             SELECT conversation_id FROM conversation_author WHERE organization_id = $1 AND contact_id = $2
             LIMIT $3`,
      values: [organizationId, contactId, limit],
    });
    return rows.map(({ conversation_id }) => conversation_id);
  }

  private async wasMergedByHand(organizationId: string, conversationId: string): Promise<boolean> {
    const [row] = await this.database.query<{ by_hand: boolean }>({
      name: 'merged_by_hand',
      text: 'SELECT by_hand FROM merged_conversation WHERE organization_id = $1 AND conversation_id = $2',
      values: [organizationId, conversationId],
    });
    return row?.by_hand === true;
  }

  /** Which of these conversations were merged, each with the one it was merged into. */
  async mergersOf(tx: Reader, organizationId: string, ids: string[]): Promise<Map<string, string>> {
    const rows = await tx.query<{ conversation_id: string; into_conversation_id: string }>({
      name: 'mergers_of',
      text: `SELECT found.* FROM ${foundByIds('merged_conversation', 'conversation_id', 'conversation_id, into_conversation_id')}`,
      values: [organizationId, ids],
    });
    return new Map(
      rows.map(({ conversation_id, into_conversation_id }) => [conversation_id, into_conversation_id]),
    );
  }

  /** The 404 for a conversation that is not there: if it was merged, it names the one that stays. */
  async missing(organizationId: string, id: string): Promise<Problem> {
    const into = isId('conv', id) ? await this.mergedInto(organizationId, id) : undefined;
    if (into === undefined) return notFound('conversation', id);
    const route = `/api/v2/organizations/${organizationId}/conversations/${into}`;
    if (await this.wasMergedByHand(organizationId, id)) return merged('conversation', id, into, route);
    return new Problem(
      404,
      'conversation_not_found',
      `The conversation ${id} turned out to be part of ${into} and was merged into it.`,
      { hint: { method: 'GET', route } },
    );
  }
}
