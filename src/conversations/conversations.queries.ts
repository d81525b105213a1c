import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#database/database.js';
import { isId } from '#kernel/id.js';
import type { Instant } from '#kernel/instant.js';
import type { DatedPageQuery, Page } from '#http/page.dto.js';
import { type Condition, type List, Pages } from '#http/page.js';
import { versionedRow } from '#http/versioned.js';
import type { ConversationResponse, MessageResponse } from './conversations.dto.js';
import { type Clicks, LinkClicks, NO_CLICKS } from './link-clicks.queries.js';

const CONVERSATION_COLUMNS =
  'conversation_id, start_at, last_activity_at, folder, is_read, contact_id, agent_id';

const CONVERSATIONS: List = {
  name: 'conversations',
  select: `SELECT ${CONVERSATION_COLUMNS} FROM conversation`,
  sort: 'last_activity_at',
  id: 'conversation_id',
};

const MESSAGES: List = {
  name: 'messages',
  select: `SELECT message_id, conversation_id, agent_id, modality, message_direction, is_form_request, subject, content,
    body_html, call_transcript, form_request_body, sent_at, drafted_at, email_metadata, call_metadata, external_id,
    is_auto_reply, tracked_links, new_content, visitor_id, attachments FROM message`,
  sort: 'sent_at',
  id: 'message_id',
};

/** In hours: days would depend on the session's time zone. */
const THIRTY_DAYS = '720 hours';

type Lately = 'new_content' | 'visitor_id' | 'attachments';
type MessageRow = Omit<MessageResponse, 'tracked_links' | Lately> & {
  [Field in Lately]?: MessageResponse[Field] | null;
} & { tracked_links?: { link_id: string; url: string }[] };

/** What a reply needs to know of the message it answers. */
export interface AnsweredMessage {
  subject: string | null;
  email_metadata: { email_message_id: string | null; references: string[] };
}

/** Every read of conversations and messages. */
@Injectable()
export class ConversationQueries {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clicks: LinkClicks,
  ) {}

  list(
    organizationId: string,
    query: DatedPageQuery,
    of: { contact_id?: string; agent_id?: string } = {},
  ): Promise<Page<ConversationResponse>> {
    const conditions: Condition[] = [
      ['organization_id =', organizationId],
      ['contact_id =', of.contact_id],
      ['agent_id =', of.agent_id],
    ];
    return this.pages.read(CONVERSATIONS, conditions, query);
  }

  async conversation(organizationId: string, id: string): Promise<ConversationResponse | undefined> {
    if (!isId('conv', id)) return undefined;
    const [row] = await this.database.query<ConversationResponse & { stream_version: number }>({
      name: 'conversation',
      text: `SELECT ${CONVERSATION_COLUMNS}, stream_version FROM conversation
              WHERE organization_id = $1 AND conversation_id = $2`,
      values: [organizationId, id],
    });
    return row && versionedRow(row);
  }

  /** Which of these conversations there are. */
  async existing(organizationId: string, ids: string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.database.query<{ conversation_id: string }>({
      name: 'existing_conversations',
      text: 'SELECT conversation_id FROM conversation WHERE organization_id = $1 AND conversation_id = ANY ($2)',
      values: [organizationId, ids],
    });
    return new Set(rows.map(({ conversation_id }) => conversation_id));
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

  async message(
    organizationId: string,
    conversationId: string,
    id: string,
  ): Promise<MessageResponse | undefined> {
    if (!isId('msg', id)) return undefined;
    const [row] = await this.database.query<MessageRow>({
      name: 'message',
      text: `${MESSAGES.select} WHERE organization_id = $1 AND message_id = $2 AND conversation_id = $3`,
      values: [organizationId, id, conversationId],
    });
    return row && (await this.withClicks(organizationId, [row]))[0];
  }

  /** The messages as they are shown, with the clicks on their links so far. */
  private async withClicks(organizationId: string, rows: MessageRow[]): Promise<MessageResponse[]> {
    const links = rows.flatMap(({ tracked_links = [] }) => tracked_links);
    const clicks = await this.clicks.of(organizationId, links);
    return rows.map((row) => shownMessage(row, clicks));
  }

  /** The message already recorded under this external id, or, where a key is given, as the mail with this Message-ID. */
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
             (${MESSAGES.select} WHERE organization_id = $1 AND md5(email_message_key) = md5($3)
               ORDER BY message_id LIMIT 1)
             LIMIT 1`,
      values: [organizationId, externalId, mailKey],
    });
    return row ? shownMessage(row) : null;
  }

  /** The conversation that holds one of these mails; the ids first in the list win. */
  async conversationOfMails(
    tx: Reader,
    organizationId: string,
    messageKeys: string[],
  ): Promise<string | null> {
    const [row] = await tx.query<{ conversation_id: string }>({
      name: 'conversation_of_mails',
      text: `SELECT conversation_id FROM unnest($2::text[]) WITH ORDINALITY AS answered(key, nr)
               JOIN message ON organization_id = $1 AND md5(email_message_key) = md5(answered.key)
              ORDER BY nr, message_id LIMIT 1`,
      values: [organizationId, messageKeys],
    });
    return row?.conversation_id ?? null;
  }

  /**
   * The contact's latest conversation whose last message has this modality and which a message of `sentAt` may
   * continue: less than 30 days after its last message, or before its first.
   */
  async recentConversation(
    tx: Reader,
    organizationId: string,
    contactId: string,
    modality: string,
    sentAt: Instant,
  ): Promise<string | null> {
    const [row] = await tx.query<{ conversation_id: string }>({
      name: 'recent_conversation',
      text: `SELECT conversation_id FROM conversation
              WHERE organization_id = $1 AND contact_id = $2 AND last_modality = $3
                AND last_activity_at > $4::timestamptz - $5::interval
                AND start_at < $4::timestamptz + $5::interval
              ORDER BY last_activity_at DESC, conversation_id DESC LIMIT 1`,
      values: [organizationId, contactId, modality, sentAt, THIRTY_DAYS],
    });
    return row?.conversation_id ?? null;
  }

  /** The delivery report already recorded under this external id. */
  async bounceByExternalId(
    tx: Reader,
    organizationId: string,
    externalId: string,
  ): Promise<{ bounce_id: string; message_id: string | null } | undefined> {
    const [row] = await tx.query<{ bounce_id: string; message_id: string | null }>({
      name: 'bounce_by_external_id',
      text: `SELECT bounce_id, message_id FROM bounce WHERE organization_id = $1 AND md5(external_id) = md5($2)`,
      values: [organizationId, externalId],
    });
    return row;
  }

  /** The sent message that left under this Message-ID. */
  async sentMail(tx: Reader, organizationId: string, messageKey: string): Promise<string | null> {
    const [row] = await tx.query<{ message_id: string }>({
      name: 'sent_mail',
      text: `SELECT message_id FROM message
              WHERE organization_id = $1 AND md5(email_message_key) = md5($2) AND message_direction = 'sent' LIMIT 1`,
      values: [organizationId, messageKey],
    });
    return row?.message_id ?? null;
  }

  /** The latest inbound e-mail of a conversation, which a reply answers. */
  async answeredMail(organizationId: string, conversationId: string): Promise<AnsweredMessage | null> {
    const [row] = await this.database.query<AnsweredMessage>({
      name: 'answered_mail',
      text: `SELECT subject, email_metadata FROM message
              WHERE organization_id = $1 AND conversation_id = $2 AND message_direction = 'received' AND modality = 'email'
              ORDER BY sent_at DESC, message_id DESC LIMIT 1`,
      values: [organizationId, conversationId],
    });
    return row ?? null;
  }
}

type Reader = Pick<Transaction, 'query'>;

/** The message as the contract shows it. */
export const shownMessage = (
  { tracked_links = [], ...row }: MessageRow,
  clicks: ReadonlyMap<string, Clicks> = new Map(),
): MessageResponse => ({
  ...row,
  email_metadata: {
    email_message_id: row.email_metadata.email_message_id,
    cc_emails: row.email_metadata.cc_emails,
    bcc_emails: row.email_metadata.bcc_emails,
  },
  tracked_links: tracked_links.map(({ link_id, url }) => {
    const { click_count, scanner_count } = clicks.get(link_id) ?? NO_CLICKS;
    return { link_id, url, click_count, human_click_count: click_count - scanner_count };
  }),
  new_content: row.new_content ?? null,
  visitor_id: row.visitor_id ?? null,
  attachments: row.attachments ?? [],
});
