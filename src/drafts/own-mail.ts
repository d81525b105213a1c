import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventStore } from '#event-store/event-store.js';
import { MessageListeners } from '../conversations/conversations.contract.js';
import { DraftQueries } from './drafts.queries.js';

/**
 * Tells of mails of ours that come in. One that comes back before we know that it was taken makes no message: its draft will
 * be one. Nor does a notice to the organization's people.
 */
@Injectable()
export class OwnMail implements OnModuleInit {
  constructor(
    private readonly listeners: MessageListeners,
    private readonly queries: DraftQueries,
    private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.listeners.leaving.add((...mail) => this.queries.leaving(...mail));
    this.listeners.noticed.add((...notices) => this.noticed(...notices));
  }

  /** Of a notice that has ended there are events, and no row. */
  private async noticed(organizationId: string, noticeIds: string[]): Promise<string[]> {
    const begun = noticeIds.map((stream_id) => ({ stream_id, version: 1 }));
    const events = await this.store.readAt(organizationId, begun);
    return events.map(({ stream_id }) => stream_id);
  }
}
