import { Injectable } from '@nestjs/common';
import type { Reader } from '#database/statements/statement.js';
import { BounceQueries, messageIdKey } from '../../conversations/conversations.contract.js';
import { addressesOf } from '../draft-content.js';
import type { Draft } from '../draft.js';

/** Finds reports about mails that are, or were, in a worker's hands: then nothing is marked when the report comes in. */
@Injectable()
export class Bounces {
  constructor(private readonly queries: BounceQueries) {}

  /** Why the draft's mail did not arrive, from reports since it may have left; null for any other draft. */
  async failureOf(reader: Reader, organizationId: string, draft: Draft): Promise<string | null> {
    const { email_message_id, delivery } = draft;
    if (email_message_id === null || delivery.handed_over_at === null) return null;
    const mail = messageIdKey(email_message_id);
    return this.queries.failureSince(
      reader,
      organizationId,
      mail,
      addressesOf(draft),
      delivery.handed_over_at,
    );
  }
}
