import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { addressKey, eachOnce } from '#kernel/address.js';
import { EventStore } from '#event-store/event-store.js';
import type { Complaint } from '#mail/mail.js';
import { Suppressions } from '../../suppressions/suppressions.contract.js';
import { MessageExtensions } from '../message-extensions.js';
import { BounceQueries } from './bounces.queries.js';

/** Suppresses whoever complains of a mail of ours (RFC 5965). Only who knows whom the mail went to can name a recipient. */
export class RecordComplaint extends Command<void> {
  constructor(
    readonly context: Context,
    readonly complaint: Complaint,
  ) {
    super();
  }
}

@CommandHandler(RecordComplaint)
export class RecordComplaintHandler implements ICommandHandler<RecordComplaint> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: BounceQueries,
    private readonly extensions: MessageExtensions,
    private readonly suppressions: Suppressions,
  ) {}

  async execute({ context, complaint }: RecordComplaint): Promise<void> {
    const { organizationId } = context;
    const { originalMessageId } = complaint;
    if (originalMessageId === null) return;
    await this.store.exclusively(organizationId, [], async (tx) => {
      const sent = await this.queries.sentMail(tx, organizationId, originalMessageId);
      if (sent === null) return;
      const sentTo = await this.extensions.sentTo.ask(tx, organizationId, sent.message_id);
      const emails = complaining(complaint, eachOnce([...sentTo, ...sent.sent_to])).map((email) => ({
        email,
      }));
      const appends = await this.suppressions.adding(tx, organizationId, emails, 'complained');
      if (appends.length > 0) await this.store.appendIn(tx, context, appends);
    });
  }
}

/** Many reports leave the recipient out (RFC 5965, 3.2); a mail to one person leaves no doubt. */
function complaining({ recipients }: Complaint, sentTo: string[]): string[] {
  if (recipients.length === 0) return sentTo.length === 1 ? sentTo : [];
  const keys = recipients.map(addressKey);
  return sentTo.filter((address) => keys.includes(addressKey(address)));
}
