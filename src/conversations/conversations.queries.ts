import { foundByIds } from '#database/by-ids.js';
import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import { RowReader } from '#database/statements/row-reader.js';
import { isId } from '#kernel/id.js';
import type { DatedPageQuery, Page, UpdatedPageQuery } from '#http/paging/page.dto.js';
import { type Condition, type List, Pages } from '#http/paging/page.js';
import { notFound, Problem } from '#http/problems/problem.js';
import { merged } from '#http/records/merge-record.js';
import { atVersion } from '#http/versions/versioned.js';
import type { ConversationResponse, MessageResponse } from './conversations.dto.js';
import type { Attachment } from './message.js';
import { LinkClicks } from './link-clicks.queries.js';
import {
  conversationList,
  CONVERSATION_COLUMNS,
  CONVERSATIONS_OF_CONTACT,
} from './conversation-lists.queries.js';
import type { ListConversationsQuery } from './list-conversations.dto.js';
import { type ConversationRow, shownConversation } from './shown-conversation.js';
import { type MessageRow, shownMessage } from './shown-message.js';

export const MESSAGE_COLUMNS = `message_id, conversation_id, agent_id, modality, message_direction, is_form_request, subject, content,
  body_html, call_transcript, form_request_body, sent_at, drafted_at, email_metadata, call_metadata, external_id,
  is_auto_reply, tracked_links, new_content, visitor_id, attachments, author AS "from", recipients AS "to", copies AS cc,
  raw`;

const MESSAGES: List = {
  name: 'messages',
  select: `SELECT ${MESSAGE_COLUMNS} FROM message`,
  sort: 'sent_at',
  id: 'message_id',
};

/** Reads of conversations and messages. */
@Injectable()
export class ConversationQueries {
  private readonly conversations: RowReader<ConversationRow & { stream_version: number }>;
  private readonly messages: RowReader<MessageRow>;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clicks: LinkClicks,
  ) {
    this.conversations = new RowReader(database, {
      name: 'conversation',
      table: 'conversation',
      key: 'conversation_id',
      columns: `${CONVERSATION_COLUMNS}, stream_version`,
    });
    this.messages = new RowReader(database, {
      name: 'message',
      table: 'message',
      key: 'message_id',
      columns: MESSAGE_COLUMNS,
    });
  }

  list(organizationId: string, query: ListConversationsQuery): Promise<Page<ConversationResponse>> {
    const { list, conditions } = conversationList(query);
    return this.page(list, [['organization_id =', organizationId], ...conditions], query);
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

  async listMessages(
    organizationId: string,
    conversationId: string,
    query: DatedPageQuery,
  ): Promise<Page<MessageResponse>> {
    const conditions: Condition[] = [
      ['organization_id =', organizationId],
      ['conversation_id =', conversationId],
    ];
    const page = await this.pages.read<MessageRow>(MESSAGES, conditions, query);
    return { ...page, data: await this.withClicks(organizationId, page.data) };
  }

  private async message(
    organizationId: string,
    conversationId: string,
    id: string,
  ): Promise<MessageResponse | undefined> {
    if (!isId('msg', id)) return undefined;
    const row = await this.messages.one(organizationId, id);
    if (row?.conversation_id !== conversationId) return undefined;
    return (await this.withClicks(organizationId, [row]))[0];
  }

  /** The message; throws a 404 for an unknown one, and for an unknown conversation as `existing` does. */
  async existingMessage(
    organizationId: string,
    conversationId: string,
    id: string,
  ): Promise<MessageResponse> {
    const found = await this.message(organizationId, conversationId, id);
    if (found) return found;
    await this.existing(organizationId, conversationId);
    throw notFound('message', id);
  }

  /** A file of the message. Throws as `existingMessage` does, and a 404 for a file that it does not have. */
  async existingAttachment(
    organizationId: string,
    conversationId: string,
    messageId: string,
    attachmentId: string,
  ): Promise<Attachment> {
    const row = isId('msg', messageId) ? await this.messages.one(organizationId, messageId) : undefined;
    if (row?.conversation_id !== conversationId) {
      await this.existing(organizationId, conversationId);
      throw notFound('message', messageId);
    }
    const found = row.attachments?.find(({ attachment_id }) => attachment_id === attachmentId);
    if (!found) throw notFound('attachment', attachmentId);
    return found;
  }

  /** The mail that the message came as; null for what was no mail. Throws as `existingMessage` does. */
  async rawOf(
    organizationId: string,
    messageId: string,
    conversationId: string | null,
  ): Promise<{ sha256: string; size: number } | null> {
    const row = isId('msg', messageId) ? await this.messages.one(organizationId, messageId) : undefined;
    const isThere = row && (conversationId === null || row.conversation_id === conversationId);
    if (isThere) return row.raw ?? null;
    if (conversationId !== null) await this.existing(organizationId, conversationId);
    throw notFound('message', messageId);
  }

  /** The messages as they are shown, with the clicks on their links so far. */
  private async withClicks(
    organizationId: string,
    rows: MessageRow[],
    reader: Reader = this.database,
  ): Promise<MessageResponse[]> {
    const links = rows.flatMap(({ tracked_links = [] }) => tracked_links);
    const clicks = await this.clicks.of(organizationId, links, reader);
    return rows.map((row) => shownMessage(row, clicks));
  }

  /** The message recorded under this external id, or, where `mailKey` is given, as the mail with this Message-ID. */
  async recordedMessage(
    tx: Reader,
    organizationId: string,
    externalId: string,
    mailKey: string | null,
  ): Promise<MessageResponse | null> {
    const [row] = await tx.query<MessageRow>({
      name: 'recorded_message',
      text: `(${MESSAGES.select} WHERE organization_id = $1 AND md5(external_id) = md5($2))
             UNION ALL
             (SELECT * FROM (${MESSAGES.select} WHERE organization_id = $1 AND md5(email_message_key) = md5($3) OFFSET 0) its_mail
               ORDER BY message_id LIMIT 1)
             LIMIT 1`,
      values: [organizationId, externalId, mailKey],
      share: { types: ['text', 'text', 'text'] },
    });
    return row ? (await this.withClicks(organizationId, [row], tx))[0]! : null;
  }
}
