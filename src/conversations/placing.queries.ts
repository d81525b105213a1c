import { Injectable } from '@nestjs/common';
import type { Transaction } from '#database/database.js';
import { referenceHash } from './conversations.projection.js';

/** Reads, inside the transaction that records a message, of what tells where it belongs beside its own thread. */
@Injectable()
export class PlacingQueries {
  /**
   * The conversation whose mails name the mail with this id (its replies, which came first), or that holds another
   * answer of the same contact to one of these mails, none of which is there yet.
   */
  async conversationAwaiting(
    tx: Transaction,
    organizationId: string,
    messageKey: string | null,
    answered: string[],
    contactId: string,
  ): Promise<string | null> {
    const [row] = await tx.query<{ conversation_id: string }>({
      name: 'conversation_awaiting',
      text: `(SELECT conversation_id, 0 AS nr, sent_at, message_id FROM mail_reference
               WHERE organization_id = $1 AND reference_hash = $2
               ORDER BY sent_at, message_id LIMIT 1)
             UNION ALL
             (SELECT conversation_id, nr, sent_at, message_id
                FROM unnest($3::text[]) WITH ORDINALITY AS answered(hash, nr)
                JOIN mail_reference ON organization_id = $1 AND reference_hash = answered.hash
                JOIN conversation USING (organization_id, conversation_id)
               WHERE contact_id = $4
               ORDER BY nr, sent_at, message_id LIMIT 1)
             ORDER BY nr, sent_at, message_id LIMIT 1`,
      values: [
        organizationId,
        messageKey === null ? null : referenceHash(messageKey),
        answered.map(referenceHash),
        contactId,
      ],
    });
    return row?.conversation_id ?? null;
  }

  /** The contact whom this visitor of a live chat was last seen to be. */
  async contactOfVisitor(tx: Transaction, organizationId: string, visitorId: string): Promise<string | null> {
    const [row] = await tx.query<{ contact_id: string }>({
      name: 'contact_of_visitor',
      text: `SELECT contact_id FROM message JOIN conversation USING (organization_id, conversation_id)
              WHERE organization_id = $1 AND md5(visitor_id) = md5($2) AND visitor_id IS NOT NULL
              ORDER BY sent_at DESC, message_id DESC LIMIT 1`,
      values: [organizationId, visitorId],
    });
    return row?.contact_id ?? null;
  }
}
