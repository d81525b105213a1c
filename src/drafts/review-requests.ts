import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import { Directory } from '../workspace/workspace.contract.js';
import { reviewNotices } from './notices.projection.js';
import { reviewNotice } from './review-notice.js';

/** A draft as it is being saved. */
interface Saved {
  draft_id: string;
  /** Of a response draft. */
  conversation_id: string | null;
  /** Of its stream, with what is being appended. */
  draft_version: number;
  /** Whether somebody is to review it. */
  wanted: boolean;
}

/** Asks for a review in the transaction that saves a draft, so that neither is there without the other. */
@Injectable()
export class ReviewRequests {
  constructor(private readonly directory: Directory) {}

  async of(organizationId: string, { wanted, ...saved }: Saved): Promise<Append[]> {
    if (!wanted) return [];
    const organization = await this.directory.organization(organizationId);
    const notice_id = newId('notice');
    const events = reviewNotice.decide(null, {
      type: 'RequestReview',
      notice_id,
      ...saved,
      notified_emails: organization!.notification_emails,
      requested_at: now(),
    });
    return [appendTo(reviewNotices, notice_id, NEW, events)];
  }
}
