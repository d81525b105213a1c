import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '#database/statements/statement.js';
import { type Append, appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import {
  type Bounced,
  type FailureReport,
  MessageExtensions,
} from '../../conversations/conversations.contract.js';
import { Suppressions } from '../../suppressions/suppressions.contract.js';
import { addressesOf } from '../draft-content.js';
import { draft } from '../draft.js';
import { drafts } from '../drafts.projection.js';
import { DraftQueries } from '../drafts.queries.js';

/** Marks the delivery, and suppresses addresses that take no mail any more, when a report says that the message or mail did not arrive, in the report's transaction. */
@Injectable()
export class MarkBounce implements OnModuleInit {
  constructor(
    private readonly extensions: MessageExtensions,
    private readonly store: EventStore,
    private readonly queries: DraftQueries,
    private readonly suppressions: Suppressions,
  ) {}

  onModuleInit(): void {
    this.extensions.bounced.add((...bounce) => this.appends(...bounce));
  }

  private async appends(
    tx: Transaction,
    organizationId: string,
    bounced: Bounced,
    report: FailureReport,
  ): Promise<Append[]> {
    const id =
      'message_id' in bounced
        ? await this.queries.draftOfMessage(tx, organizationId, bounced.message_id)
        : (await this.queries.leaving(organizationId, bounced.email_message_id, tx))[0];
    if (id == null) {
      // It was sent elsewhere and recorded.
      const sentTo = 'message_id' in bounced ? bounced.sent_to : undefined;
      return this.suppressing(tx, organizationId, report.gone(sentTo ?? []));
    }
    this.store.lock(tx, organizationId, [id]);
    const current = await this.store.load(tx, organizationId, drafts, id);
    if (!current.state) return [];
    const sentTo = addressesOf(current.state);
    const error = report.failure(sentTo);
    if (error === null) return [];
    const events = draft.decide(current.state, { type: 'RecordBounce', error });
    return [
      ...(events.length > 0 ? [appendTo(drafts, id, current, events)] : []),
      ...(await this.suppressing(tx, organizationId, report.gone(sentTo))),
    ];
  }

  private suppressing(tx: Transaction, organizationId: string, emails: string[]): Promise<Append[]> {
    const gone = emails.map((email) => ({ email }));
    return this.suppressions.adding(tx, organizationId, gone, 'bounced');
  }
}
