import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '#database/statements/statement.js';
import { EventStore } from '#event-store/event-store.js';
import { MessageExtensions } from '../../conversations/conversations.contract.js';
import { addressesOf } from '../draft-content.js';
import { drafts } from '../drafts.projection.js';
import { DraftQueries } from '../drafts.queries.js';

/**
 * Recognises our own mails when they come in. A mail that comes back before we know that the provider took it makes no
 * message, as its draft will become one; nor does a notice to the organization's people.
 */
@Injectable()
export class OwnMail implements OnModuleInit {
  constructor(
    private readonly extensions: MessageExtensions,
    private readonly queries: DraftQueries,
    private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.extensions.leaving.add((...mail) => this.queries.leaving(...mail));
    this.extensions.handedOver.add((...mails) => this.queries.handedOver(...mails));
    this.extensions.sentTo.add((...message) => this.sentTo(...message));
    this.extensions.noticed.add((...notices) => this.noticed(...notices));
  }

  private async sentTo(tx: Transaction, organizationId: string, messageId: string): Promise<string[]> {
    const id = await this.queries.draftOfMessage(tx, organizationId, messageId);
    if (id === null) return [];
    const { state } = await this.store.load(tx, organizationId, drafts, id);
    return state ? addressesOf(state) : [];
  }

  /** Looks in the events: a notice that has ended has no row. */
  private async noticed(organizationId: string, noticeIds: string[]): Promise<string[]> {
    const begun = noticeIds.map((stream_id) => ({ stream_id, version: 1 }));
    const events = await this.store.readAt(organizationId, begun);
    return events.map(({ stream_id }) => stream_id);
  }
}
