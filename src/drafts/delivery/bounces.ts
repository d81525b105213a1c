import { Injectable } from '@nestjs/common';
import type { Reader } from '#database/statement.js';
import { BounceQueries, messageIdKey } from '../../conversations/conversations.contract.js';
import type { Draft } from '../draft.js';

/** Finds reports about mails that are, or were, in a worker's hands: then nothing is marked when the report comes in. */
@Injectable()
export class Bounces {
  constructor(private readonly queries: BounceQueries) {}

  /** Why the draft's mail did not arrive, from reports since it may have left; null for any other draft. */
  async failureOf(
    reader: Reader,
    organizationId: string,
    { email_message_id, delivery: { handed_over_at } }: Draft,
  ): Promise<string | null> {
    if (email_message_id === null || handed_over_at === null) return null;
    return this.queries.failureSince(reader, organizationId, messageIdKey(email_message_id), handed_over_at);
  }
}
