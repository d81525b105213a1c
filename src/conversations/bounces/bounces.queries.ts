import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel/instant.js';
import type { Reader } from '#database/statements/statement.js';
import type { Bounce } from './bounce.js';
import { failureOf } from './bounce-failure.js';

/** A recorded delivery report and the message it is about. */
export type RecordedBounce = Pick<Bounce, 'bounce_id' | 'message_id'>;

/** Reads for recording delivery reports, and for finding failures in them. */
@Injectable()
export class BounceQueries {
  /** The delivery report already recorded under this external id. */
  async recorded(
    tx: Reader,
    organizationId: string,
    externalId: string,
  ): Promise<RecordedBounce | undefined> {
    const [row] = await tx.query<RecordedBounce>({
      name: 'bounce_by_external_id',
      text: `SELECT bounce_id, message_id FROM bounce WHERE organization_id = $1 AND md5(external_id) = md5($2)`,
      values: [organizationId, externalId],
    });
    return row;
  }

  /** The sent message that left under this Message-ID. */
  async sentMail(tx: Reader, organizationId: string, messageKey: string): Promise<string | null> {
    const [row] = await tx.query<{ message_id: string }>({
      name: 'sent_mail',
      text: `SELECT message_id FROM message
              WHERE organization_id = $1 AND md5(email_message_key) = md5($2) AND message_direction = 'sent' LIMIT 1`,
      values: [organizationId, messageKey],
    });
    return row?.message_id ?? null;
  }

  /**
   * Why the mail with this Message-ID did not reach one of these addresses, from reports received since an instant; null when
   * none tells a failure.
   */
  async failureSince(
    tx: Reader,
    organizationId: string,
    messageKey: string,
    sentTo: string[],
    since: Instant,
  ): Promise<string | null> {
    const rows = await tx.query<Pick<Bounce, 'recipients'>>({
      name: 'bounces_since',
      text: `SELECT recipients FROM bounce
              WHERE organization_id = $1 AND md5(original_message_id) = md5($2) AND received_at >= $3
              ORDER BY received_at`,
      values: [organizationId, messageKey, since],
      share: { types: ['text', 'text', 'timestamptz'] },
    });
    return failureOf(
      rows.flatMap(({ recipients }) => recipients),
      sentTo,
    );
  }
}
