import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/id.js';
import { Database } from '#database/database.js';
import type { Append } from '#event-store/append.js';
import { Directory } from '../../workspace/workspace.contract.js';
import type { DraftContent, Queueing } from '../draft-content.js';
import { requestedNotice } from './notices.projection.js';

/** A draft as it is being saved. */
interface Saved {
  draft_id: string;
  /** Of a response draft. */
  conversation_id: string | null;
  /** The stream's version after the save. */
  draft_version: number;
}

/** Makes the appends that request a review, for the transaction that saves the draft. */
export type ReviewRequest = (saved: Saved) => Append[];

/** Asks for reviews of drafts. */
@Injectable()
export class ReviewRequests {
  constructor(
    private readonly directory: Directory,
    private readonly database: Database,
  ) {}

  /** Call it before the transaction: reading whom to notify inside would wait for a second connection. */
  async prepare(
    organizationId: string,
    { add_notification }: Pick<DraftContent, 'add_notification'>,
    queued: Queueing | null,
  ): Promise<ReviewRequest> {
    if (!add_notification || queued) return () => [];
    const requested_at = await this.database.now();
    const { notification_emails } = (await this.directory.organization(organizationId))!;
    return (saved) => [
      requestedNotice({
        type: 'RequestReview',
        notice_id: newId('notice'),
        ...saved,
        notified_emails: notification_emails,
        requested_at,
      }),
    ];
  }
}
