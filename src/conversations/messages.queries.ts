import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import { RowReader } from '#database/statements/row-reader.js';
import { isId } from '#kernel/id.js';
import type { DatedPageQuery, Page } from '#http/paging/page.dto.js';
import type { Condition, List } from '#http/paging/list.js';
import { Pages } from '#http/paging/page.js';
import { notFound } from '#http/problems/problem.js';
import type { MessageResponse } from './conversations.dto.js';
import { ConversationQueries } from './conversations.queries.js';
import type { Attachment } from './message.js';
import { LinkClicks } from './link-clicks.queries.js';
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
  of: 'conversation_id',
};

/** Reads of messages. */
@Injectable()
export class MessageQueries {
  private readonly messages: RowReader<MessageRow>;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clicks: LinkClicks,
    private readonly conversations: ConversationQueries,
  ) {
    this.messages = new RowReader(database, {
      name: 'message',
      table: 'message',
      key: 'message_id',
      columns: MESSAGE_COLUMNS,
    });
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

  /** The message; throws a 404 for an unknown one, and for an unknown conversation as `ConversationQueries.existing` does. */
  async existingMessage(
    organizationId: string,
    conversationId: string,
    id: string,
  ): Promise<MessageResponse> {
    const found = await this.message(organizationId, conversationId, id);
    if (found) return found;
    await this.conversations.existing(organizationId, conversationId);
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
      await this.conversations.existing(organizationId, conversationId);
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
    if (conversationId !== null) await this.conversations.existing(organizationId, conversationId);
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
