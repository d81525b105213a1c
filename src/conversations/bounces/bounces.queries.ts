import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel/instant.js';
import type { Reader } from '#database/statements/statement.js';
import type { Named } from '#kernel/named.js';
import type { RecordedMessage } from '../message.js';
import type { Bounce } from './bounce.js';
import { failureOf } from './bounce-failure.js';

/** A recorded delivery report and the message it is about. */
export type RecordedBounce = Pick<Bounce, 'bounce_id' | 'message_id'>;

/** A mail that was sent, and to whom. */
export interface SentMail {
  message_id: string;
  sent_to: string[];
}

interface SentRow {
  message_id: string;
  recipients: Named[] | null;
  email_metadata: Pick<RecordedMessage['email_metadata'], 'cc_emails' | 'bcc_emails'>;
}

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

  /** The sent message that left under this Message-ID, and the addresses that it names. */
  async sentMail(tx: Reader, organizationId: string, messageKey: string): Promise<SentMail | null> {
    const [row] = await tx.query<SentRow>({
      name: 'sent_mail',
      text: `SELECT message_id, recipients, email_metadata FROM message
              WHERE organization_id = $1 AND md5(email_message_key) = md5($2) AND message_direction = 'sent' LIMIT 1`,
      values: [organizationId, messageKey],
    });
    if (!row) return null;
    const { cc_emails, bcc_emails } = row.email_metadata;
    const to = (row.recipients ?? []).flatMap(({ email }) => email ?? []);
    return { message_id: row.message_id, sent_to: [...to, ...cc_emails, ...bcc_emails] };
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
