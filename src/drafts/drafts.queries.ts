import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Transaction } from '#database/statement.js';
import { PRESENCE_CLASS } from '#database/presence.js';
import { RowReader } from '#database/row-reader.js';
import { isId } from '#kernel/id.js';
import type { Instant } from '#kernel/instant.js';
import { NEW } from '#event-store/append.js';
import type { Versioned } from '#event-store/change.js';
import { stateColumns, versionedState } from '#event-store/rows.js';
import type { DatedPageQuery, Page } from '#http/page.dto.js';
import { type List, Pages } from '#http/page.js';
import type { Delivery } from './delivery.js';
import type { Draft } from './draft.js';
import { drafts } from './drafts.projection.js';

type Reader = Pick<Transaction, 'query'>;

/** A draft's row as it is shown, with what tells what it is and whether it still is a draft. */
export type DraftRow = Omit<Draft, 'add_notification' | 'email_message_id' | 'links' | 'was_overwritten'> & {
  stream_version: number;
};

export interface OrganizationWithDue {
  organization_id: string;
  /** The process that had a delivery in hand and is gone. */
  gone_worker: number | null;
}

/** A notice of a draft to review that is to be sent. */
export interface DueNotice {
  organization_id: string;
  notice_id: string;
}

/** A delivery as operators see it. */
export interface DeliveryRow {
  organization_id: string;
  draft_id: string;
  modality: string;
  status: Delivery['status'];
  attempts: number;
  last_error: string | null;
  next_attempt_at: Instant | null;
}

const COLUMNS = `draft_id, kind, conversation_id, subject, body_html, cc_emails, bcc_emails, recipient_name,
  recipient_email, recipient_phone_number, agent_id, folder, modality, created_at, scheduled_send_at, message_id,
  delivery, stream_version`;

/** A conversation has one such draft at most, by an index. */
const PENDING_RESPONSE = `kind = 'response' AND message_id IS NULL`;

const DRAFTS: List = {
  name: 'drafts',
  select: `SELECT ${COLUMNS} FROM draft`,
  sort: 'created_at',
  id: 'draft_id',
};

/** Those that a row of `delivery` can have. */
const STATUSES: Delivery['status'][] = ['queued', 'sending', 'retrying', 'failed', 'uncertain'];

const DELIVERY = `SELECT organization_id, draft_id, modality, status, attempts, last_error,
  CASE WHEN status <> 'sending' THEN due_at END AS next_attempt_at FROM delivery`;

/** Every read of drafts and deliveries. */
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

  /** Message drafts, or the response drafts of a conversation, that are not sent yet. */
  list(
    organizationId: string,
    conversationId: string | null,
    query: DatedPageQuery,
  ): Promise<Page<DraftRow>> {
    const kind = conversationId === null ? 'message' : 'response';
    const pending = { ...DRAFTS, name: `${kind}_drafts`, where: `kind = '${kind}' AND message_id IS NULL` };
    return this.pages.read<DraftRow>(
      pending,
      [
        ['organization_id =', organizationId],
        ['conversation_id =', conversationId ?? undefined],
      ],
      query,
    );
  }

  /** A draft of either kind, sent or not. */
  async draft(organizationId: string, id: string): Promise<DraftRow | undefined> {
    if (!isId('draft', id) && !isId('response', id)) return undefined;
    return this.drafts.one(organizationId, id);
  }

  /** The pending response draft of a conversation, as it was a moment ago. */
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

  /** Whether a draft that is no message yet has this Message-ID, which it is given when it is queued. */
  async isLeaving(organizationId: string, emailMessageId: string): Promise<boolean> {
    const found = await this.database.query({
      name: 'leaving_mail',
      text: `SELECT FROM draft
              WHERE organization_id = $1 AND md5(email_message_id) = md5($2) AND message_id IS NULL LIMIT 1`,
      values: [organizationId, emailMessageId],
    });
    return found.length > 0;
  }

  /** Organizations with deliveries that are due, or in the hands of a process that is gone. */
  organizationsWithDue(at: Instant): Promise<OrganizationWithDue[]> {
    return this.database.query({
      name: 'organizations_with_due',
      text: `SELECT DISTINCT organization_id, NULL::int AS gone_worker FROM delivery WHERE due_at <= $1
             UNION ALL
             SELECT DISTINCT organization_id, worker FROM delivery
              WHERE worker IS NOT NULL AND due_at > $1
                AND NOT EXISTS (SELECT FROM pg_locks
                                 WHERE locktype = 'advisory' AND classid = $2 AND objid = worker::oid AND objsubid = 2
                                   AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`,
      values: [at, PRESENCE_CLASS],
    });
  }

  /**
   * Drafts of the organization whose delivery is due, the longest waiting first, then those in the hands of a process that
   * is `gone`; without those of these ids.
   */
  async dueDrafts(
    organizationId: string,
    at: Instant,
    limit: number,
    gone: number[],
    without: string[],
  ): Promise<Versioned<Draft>[]> {
    const due = await this.waiting('due_drafts', 'due_at <= $4', [organizationId, limit, without, at]);
    if (gone.length === 0 || due.length === limit) return due;
    const others = [...without, ...due.map(({ state }) => state!.draft_id)];
    const values = [organizationId, limit - due.length, others, gone];
    return [...due, ...(await this.waiting('left_drafts', 'worker = ANY ($4::int[])', values))];
  }

  /** Chosen among the deliveries first, in the order of an index: drafts are wide, and few of those due are asked for. */
  private async waiting(name: string, condition: string, values: unknown[]): Promise<Versioned<Draft>[]> {
    const rows = await this.database.query<Draft & { stream_version: number }>({
      name,
      text: `SELECT found.*
               FROM (SELECT draft_id, due_at FROM delivery
                      WHERE organization_id = $1 AND ${condition} AND draft_id <> ALL ($3::text[])
                      ORDER BY organization_id, due_at LIMIT $2) due
              CROSS JOIN LATERAL (SELECT ${drafts.row.columns.join(', ')}, stream_version FROM draft
                                   WHERE organization_id = $1 AND draft_id = due.draft_id OFFSET 0) found
              ORDER BY due.due_at`,
      values,
    });
    return rows.map(({ stream_version: version, ...state }) => ({ state, version }));
  }

  /** Notices that are due, the longest waiting first, `limitEach` of an organization at most. */
  dueNotices(at: Instant, limit: number, limitEach: number): Promise<DueNotice[]> {
    return this.database.query({
      name: 'due_notices',
      text: `SELECT organization_id, notice_id
               FROM (SELECT *, row_number() OVER (PARTITION BY organization_id ORDER BY due_at) AS nr
                       FROM review_notice WHERE due_at <= $1) due
              WHERE nr <= $3 ORDER BY due_at LIMIT $2`,
      values: [at, limit, limitEach],
    });
  }

  /** Deliveries of all organizations with one of these statuses, the newest drafts first. */
  deliveries(statuses: string[], limit: number): Promise<DeliveryRow[]> {
    return this.database.query({
      text: `${DELIVERY} WHERE status = ANY ($1) ORDER BY draft_id DESC LIMIT $2`,
      values: [statuses, limit],
    });
  }

  /** The delivery of this draft, whichever organization it belongs to. */
  async delivery(draftId: string): Promise<DeliveryRow | undefined> {
    if (!isId('draft', draftId) && !isId('response', draftId)) return undefined;
    const [row] = await this.database.query<DeliveryRow>({
      // With the statuses, of which there are few, an index leads to it.
      text: `${DELIVERY} WHERE status = ANY ($2) AND draft_id = $1`,
      values: [draftId, STATUSES],
    });
    return row;
  }

  /** Where a link leads, and whose it is. */
  async link(linkId: string): Promise<{ organization_id: string; url: string } | undefined> {
    if (!isId('link', linkId)) return undefined;
    const [row] = await this.database.query<{ organization_id: string; url: string }>({
      name: 'tracked_link',
      text: 'SELECT organization_id, url FROM tracked_link WHERE link_id = $1',
      values: [linkId],
    });
    return row;
  }
}
