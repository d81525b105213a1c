import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import { RowReader } from '#database/statements/row-reader.js';
import { isId } from '#kernel/id.js';
import type { Instant } from '#kernel/instant.js';
import { NEW } from '#event-store/append.js';
import type { Versioned } from '#event-store/change.js';
import { stateColumns, versionedState } from '#event-store/rows.js';
import type { UpdatedPageQuery, Page } from '#http/paging/page.dto.js';
import type { Condition, List } from '#http/paging/list.js';
import { Pages } from '#http/paging/page.js';
import type { Draft } from './draft.js';
import { drafts } from './drafts.projection.js';
import { type ListDraftsQuery, SAVED } from './list-drafts.dto.js';

/** A draft's row as it is shown, with the fields that tell its kind and whether it is still a draft. */
export type DraftRow = Omit<
  Draft,
  | 'add_notification'
  | 'email_message_id'
  | 'heard_at'
  | 'links'
  | 'was_overwritten'
  | 'writer_id'
  | 'text_addresses'
  | 'recipient_key'
> & {
  updated_at: string;
  stream_version: number;
};

const COLUMNS = `draft_id, kind, conversation_id, subject, body_html, cc_emails, bcc_emails, recipient_name,
  recipient_email, recipient_emails, recipient_phone_number, agent_id, folder, modality, created_at, scheduled_send_at, message_id,
  cancel_on_reply, close_after_send, files, without_signature, delivery, updated_at, stream_version`;

/** An index allows one such draft per conversation. */
const PENDING_RESPONSE = `kind = 'response' AND message_id IS NULL`;

const DRAFTS: List = {
  name: 'drafts',
  select: `SELECT ${COLUMNS} FROM draft`,
  sort: 'created_at',
  id: 'draft_id',
};

const pending = (kind: Draft['kind']): List => ({
  ...DRAFTS,
  name: `${kind}_drafts`,
  where: `kind = '${kind}' AND message_id IS NULL`,
  orders: {
    scheduled_send_at: {
      sort: 'scheduled_send_at',
      ascending: true,
      where: `kind = '${kind}' AND message_id IS NULL AND scheduled_send_at IS NOT NULL`,
    },
  },
});

const hasStatus = (status: string | undefined): Condition => [
  `(delivery ->> 'status') =`,
  status === SAVED ? 'none' : status,
];

const ofConversation = (column: string, value: string | undefined): Condition => [
  `EXISTS (SELECT FROM conversation WHERE conversation.organization_id = $1
     AND conversation.conversation_id = draft.conversation_id AND conversation.${column} = ?)`,
  value,
];

/** Reads of drafts and of their links. */
@Injectable()
export class DraftQueries {
  private readonly drafts: RowReader<DraftRow>;
  private readonly pending: RowReader<Draft & { stream_version: number }>;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
  ) {
    this.drafts = new RowReader(database, {
      name: 'draft',
      table: 'draft',
      key: 'draft_id',
      columns: COLUMNS,
    });
    this.pending = new RowReader(database, {
      name: 'pending_draft',
      table: 'draft',
      key: 'conversation_id',
      where: PENDING_RESPONSE,
      columns: stateColumns(drafts.row),
    });
  }

  /** Message drafts that are not sent yet. */
  listMessageDrafts(organizationId: string, query: ListDraftsQuery): Promise<Page<DraftRow>> {
    const filters: Condition[] = [
      hasStatus(query.status),
      ['folder =', query.folder],
      ['agent_id =', query.agent_id],
    ];
    return this.pages.read(pending('message'), [['organization_id =', organizationId], ...filters], query);
  }

  /** Response drafts that are not sent yet; a reply's folder and agent are those of its conversation. */
  listResponseDrafts(organizationId: string, query: ListDraftsQuery): Promise<Page<DraftRow>> {
    const filters: Condition[] = [
      hasStatus(query.status),
      ofConversation('folder', query.folder),
      ofConversation('agent_id', query.agent_id),
    ];
    return this.pages.read(pending('response'), [['organization_id =', organizationId], ...filters], query);
  }

  /** The response drafts of a conversation that are not sent yet. */
  listOfConversation(
    organizationId: string,
    conversationId: string,
    query: UpdatedPageQuery,
  ): Promise<Page<DraftRow>> {
    const conditions: Condition[] = [
      ['organization_id =', organizationId],
      ['conversation_id =', conversationId],
    ];
    return this.pages.read(pending('response'), conditions, query);
  }

  /** A draft of either kind, sent or not. */
  async draft(organizationId: string, id: string): Promise<DraftRow | undefined> {
    if (!isId('draft', id) && !isId('response', id)) return undefined;
    return this.drafts.one(organizationId, id);
  }

  /** The pending response draft of a conversation. Read without a lock, so it may have changed since. */
  async latestPending(organizationId: string, conversationId: string): Promise<Versioned<Draft>> {
    const row = await this.pending.one(organizationId, conversationId);
    return row ? versionedState<Draft>(row) : NEW;
  }

  /** The id of the pending response draft of a conversation. */
  async pendingResponse(tx: Reader, organizationId: string, conversationId: string): Promise<string | null> {
    const [row] = await tx.query<{ draft_id: string }>({
      name: 'pending_response',
      text: `SELECT draft_id FROM draft WHERE organization_id = $1 AND conversation_id = $2 AND ${PENDING_RESPONSE}`,
      values: [organizationId, conversationId],
    });
    return row?.draft_id ?? null;
  }

  /** The pending response draft of a conversation that is not to leave once the contact writes. */
  async cancelledByReply(tx: Reader, organizationId: string, conversationId: string): Promise<string | null> {
    const [row] = await tx.query<{ draft_id: string }>({
      name: 'draft_cancelled_by_reply',
      text: `SELECT draft_id FROM draft
              WHERE organization_id = $1 AND conversation_id = $2 AND ${PENDING_RESPONSE} AND cancel_on_reply`,
      values: [organizationId, conversationId],
      share: { types: ['text', 'text'] },
    });
    return row?.draft_id ?? null;
  }

  /** Which of these conversations have a response draft that is not sent yet. */
  async conversationsWithPending(
    tx: Reader,
    organizationId: string,
    conversationIds: string[],
  ): Promise<string[]> {
    const rows = await tx.query<{ conversation_id: string }>({
      name: 'conversations_with_pending',
      text: `SELECT conversation_id FROM draft
              WHERE organization_id = $1 AND conversation_id = ANY ($2) AND ${PENDING_RESPONSE}`,
      values: [organizationId, conversationIds],
    });
    return rows.map(({ conversation_id }) => conversation_id);
  }

  /** The draft that this message was made from. */
  async draftOfMessage(tx: Reader, organizationId: string, messageId: string): Promise<string | null> {
    const [row] = await tx.query<{ draft_id: string }>({
      name: 'draft_of_message',
      text: `SELECT draft_id FROM draft WHERE organization_id = $1 AND message_id = $2`,
      values: [organizationId, messageId],
    });
    return row?.draft_id ?? null;
  }

  /** The drafts with this Message-ID, given when they are queued, that are no message yet. */
  async leaving(
    organizationId: string,
    emailMessageId: string,
    reader: Reader = this.database,
  ): Promise<string[]> {
    const found = await reader.query<{ draft_id: string }>({
      name: 'leaving_mail',
      text: `SELECT draft_id FROM draft
              WHERE organization_id = $1 AND md5(email_message_id) = md5($2) AND message_id IS NULL`,
      values: [organizationId, emailMessageId],
    });
    return found.map(({ draft_id }) => draft_id);
  }

  /** When each of these mails was handed over, by the ids given when they were queued, that may have left and is no message yet. */
  async handedOver(tx: Reader, organizationId: string, emailMessageIds: string[]): Promise<Instant[]> {
    const found = await tx.query<{ handed_over_at: Instant }>({
      name: 'handed_over_mails',
      text: `SELECT delivery->>'handed_over_at' AS handed_over_at FROM unnest($2::text[]) AS answered(id) CROSS JOIN LATERAL (
               SELECT delivery FROM draft
                WHERE organization_id = $1 AND md5(email_message_id) = md5(id) AND message_id IS NULL OFFSET 0) leaving
              WHERE delivery->>'handed_over_at' IS NOT NULL`,
      values: [organizationId, emailMessageIds],
    });
    return found.map(({ handed_over_at }) => handed_over_at);
  }

  /** The target of a link, in any organization. */
  async link(linkId: string): Promise<{ organization_id: string; url: string } | undefined> {
    if (!isId('link', linkId)) return undefined;
    const [row] = await this.database.query<{ organization_id: string; url: string }>({
      name: 'tracked_link',
      text: 'SELECT organization_id, url FROM tracked_link WHERE link_id = $1',
      values: [linkId],
    });
    return row;
  }

  /** The target of a link of this organization. */
  async ownLink(organizationId: string, linkId: string): Promise<{ url: string } | undefined> {
    if (!isId('link', linkId)) return undefined;
    const [row] = await this.database.query<{ url: string }>({
      name: 'own_tracked_link',
      text: 'SELECT url FROM tracked_link WHERE organization_id = $1 AND link_id = $2',
      values: [organizationId, linkId],
    });
    return row;
  }
}
