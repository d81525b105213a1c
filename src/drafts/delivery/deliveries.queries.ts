import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import { livingWorkers } from '#database/monitoring/worker-liveness.js';
import { isId } from '#kernel/id.js';
import type { Instant } from '#kernel/instant.js';
import type { Versioned } from '#event-store/change.js';
import { stateColumns, versionedState } from '#event-store/rows.js';
import { type Delivery, STATUSES, STUCK } from '../delivery.js';
import type { Draft } from '../draft.js';
import { drafts } from '../drafts.projection.js';

export const MOST_LISTED = 1_000;

export interface OrganizationWithDue {
  organization_id: string;
  /** A process that has a delivery in hand but gives no sign of life. */
  missing_worker: number | null;
}

/** A notice that is due to be sent. */
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

const DELIVERY = `SELECT organization_id, draft_id, modality, status, attempts, last_error,
  CASE WHEN status <> 'sending' THEN due_at END AS next_attempt_at FROM delivery`;

/** For `DueWork`: also what is in the hands of a process, which may be gone. */
export const DUE_DELIVERIES = `
  SELECT organization_id FROM delivery WHERE due_at <= now()
  UNION ALL
  SELECT organization_id FROM delivery WHERE worker IS NOT NULL AND due_at > now()`;

/** For `DueWork`. */
export const DUE_NOTICES = 'SELECT organization_id FROM review_notice WHERE due_at <= now()';

/** Reads of deliveries and of notices to send. */
@Injectable()
export class DeliveryQueries {
  constructor(private readonly database: Database) {}

  /** By the database's clock, as everything due: organizations with deliveries that are due, or in the hands of a process that gives no sign of life. */
  async organizationsWithDue(): Promise<OrganizationWithDue[]> {
    const found = await this.database.query<OrganizationWithDue>({
      name: 'organizations_with_due',
      text: `SELECT DISTINCT organization_id, NULL::int AS missing_worker FROM delivery WHERE due_at <= now()
             UNION ALL
             SELECT DISTINCT organization_id, worker FROM delivery WHERE worker IS NOT NULL AND due_at > now()`,
    });
    if (found.every(({ missing_worker }) => missing_worker === null)) return found;
    // Asked for afterwards: whoever has taken a delivery by then is among them.
    const living = new Set(await livingWorkers(this.database));
    return found.filter(({ missing_worker: worker }) => worker === null || !living.has(worker));
  }

  /**
   * Drafts of the organization with a due delivery, longest waiting first, then those in the hands of processes that were
   * `gone` and have not been seen since; none of those in `without`.
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
    const living = await livingWorkers(this.database);
    const away = gone.filter((worker) => !living.includes(worker));
    const values = [organizationId, limit - due.length, others, away];
    return [...due, ...(await this.waiting('left_drafts', 'worker = ANY ($4::int[])', values))];
  }

  /** Chooses among the narrow rows of `delivery` by an index, then reads only the chosen drafts, which are wide. */
  private async waiting(name: string, condition: string, values: unknown[]): Promise<Versioned<Draft>[]> {
    const rows = await this.database.query<Draft & { stream_version: number }>({
      name,
      text: `SELECT found.*
               FROM (SELECT draft_id, due_at FROM delivery
                      WHERE organization_id = $1 AND ${condition} AND draft_id <> ALL ($3::text[])
                      ORDER BY organization_id, due_at LIMIT $2) due
              CROSS JOIN LATERAL (SELECT ${stateColumns(drafts.row)} FROM draft
                                   WHERE organization_id = $1 AND draft_id = due.draft_id OFFSET 0) found
              ORDER BY due.due_at`,
      values,
    });
    return rows.map((row) => versionedState<Draft>(row));
  }

  /** Due notices, longest waiting first, at most `limitEach` of an organization, none of the organizations in `without`. */
  dueNotices(limit: number, limitEach: number, without: string[]): Promise<DueNotice[]> {
    return this.database.query({
      name: 'due_notices',
      text: `SELECT organization_id, notice_id
               FROM (SELECT *, row_number() OVER (PARTITION BY organization_id ORDER BY due_at) AS nr
                       FROM review_notice WHERE due_at <= now() AND organization_id <> ALL ($3::text[])) due
              WHERE nr <= $2 ORDER BY due_at LIMIT $1`,
      values: [limit, limitEach, without],
    });
  }

  /**
   * Deliveries of all organizations with this status, or without one those that wait for a person. Newest drafts first,
   * `MOST_LISTED` at most.
   */
  deliveries(status?: string): Promise<DeliveryRow[]> {
    return this.database.query({
      text: `${DELIVERY} WHERE status = ANY ($1) ORDER BY draft_id DESC LIMIT $2`,
      values: [status === undefined ? STUCK : [status], MOST_LISTED],
    });
  }

  /** The delivery of this draft, in any organization. */
  async delivery(draftId: string): Promise<DeliveryRow | undefined> {
    if (!isId('draft', draftId) && !isId('response', draftId)) return undefined;
    const [row] = await this.database.query<DeliveryRow>({
      // The index leads with the status; there are few, so naming all makes it usable.
      text: `${DELIVERY} WHERE status = ANY ($2) AND draft_id = $1`,
      values: [draftId, STATUSES],
    });
    return row;
  }
}
