import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#database/database.js';
import { PRESENCE_CLASS } from '#database/presence.js';
import { isId } from '#kernel/id.js';
import type { Instant } from '#kernel/instant.js';
import type { DatedPageQuery, Page } from '#http/page.dto.js';
import { type List, Pages } from '#http/page.js';
import type { Delivery } from './delivery.js';
import type { ResponseDraftResponse } from './drafts.dto.js';

type Reader = Pick<Transaction, 'query'>;

/** A draft's row as its detail is shown, with what tells whether it still is a draft. */
interface ResponseDraftRow extends Omit<ResponseDraftResponse, 'delivery'> {
  message_id: string | null;
  delivery: Delivery;
}

/** A delivery that somebody has to look at. */
export interface DueDelivery {
  organization_id: string;
  draft_id: string;
  attempts: number;
  status: Delivery['status'];
  /** The process that had it in hand and is gone. */
  gone_worker: number | null;
}

const COLUMNS = `response_id, conversation_id, body_html, recipient_name, recipient_email, recipient_phone_number,
  cc_emails, bcc_emails, scheduled_send_at, created_at, message_id, delivery`;

const PENDING: List = {
  name: 'response_drafts',
  select: `SELECT ${COLUMNS} FROM response_draft`,
  sort: 'created_at',
  id: 'response_id',
};

/** Every read of drafts and deliveries. */
@Injectable()
export class DraftQueries {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
  ) {}

  async listResponseDrafts(
    organizationId: string,
    conversationId: string,
    query: DatedPageQuery,
  ): Promise<Page<ResponseDraftResponse>> {
    const page = await this.pages.read<ResponseDraftRow>(
      PENDING,
      [
        ['organization_id =', organizationId],
        ['conversation_id =', conversationId],
        ['(message_id IS NULL) =', true],
      ],
      query,
    );
    return { ...page, data: page.data.map(shownResponseDraft) };
  }

  async responseDraft(
    organizationId: string,
    conversationId: string,
    id: string,
  ): Promise<ResponseDraftRow | undefined> {
    if (!isId('response', id)) return undefined;
    const [row] = await this.database.query<ResponseDraftRow>({
      name: 'response_draft',
      text: `SELECT ${COLUMNS} FROM response_draft
              WHERE organization_id = $1 AND response_id = $2 AND conversation_id = $3`,
      values: [organizationId, id, conversationId],
    });
    return row;
  }

  /** The pending response draft of a conversation. */
  async pendingResponseDraft(
    tx: Reader,
    organizationId: string,
    conversationId: string,
  ): Promise<string | null> {
    const [row] = await tx.query<{ response_id: string }>({
      name: 'pending_response_draft',
      text: `SELECT response_id FROM response_draft
              WHERE organization_id = $1 AND conversation_id = $2 AND message_id IS NULL`,
      values: [organizationId, conversationId],
    });
    return row?.response_id ?? null;
  }

  /** Deliveries of all organizations that are due, the longest waiting first, and those in the hands of processes that are gone. */
  dueDeliveries(at: Instant, limit: number): Promise<DueDelivery[]> {
    return this.database.query({
      name: 'due_deliveries',
      text: `(SELECT organization_id, draft_id, attempts, status, NULL::int AS gone_worker FROM delivery
               WHERE due_at <= $1 ORDER BY due_at LIMIT $2)
             UNION ALL
             (SELECT organization_id, draft_id, attempts, status, worker FROM delivery
               WHERE worker IS NOT NULL AND due_at > $1
                 AND NOT EXISTS (SELECT FROM pg_locks
                                  WHERE locktype = 'advisory' AND classid = $3 AND objid = worker::oid AND objsubid = 2
                                    AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
               LIMIT $2)`,
      values: [at, limit, PRESENCE_CLASS],
    });
  }
}

/** The draft as the contract shows it. */
export function shownResponseDraft({
  message_id: _,
  delivery,
  ...draft
}: ResponseDraftRow): ResponseDraftResponse {
  const { status, attempts, last_error, next_attempt_at } = delivery;
  return { ...draft, delivery: { status, attempts, last_error, next_attempt_at } };
}
