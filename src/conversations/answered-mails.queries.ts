import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel/instant.js';
import { Database } from '#database/database.js';
import type { Transaction } from '#database/statements/statement.js';
import type { Author, RecordedMessage, TextAddresses } from './message.js';

/** What a reply needs to know of the message it answers. */
export interface AnsweredMessage {
  subject: string | null;
  email_metadata: Pick<RecordedMessage['email_metadata'], 'email_message_id' | 'in_reply_to' | 'references'>;
}

/** Who wrote the message that a reply goes back to. */
export interface Sender {
  /** Without fields where it was recorded before authors were kept, until a rebuild has found them. */
  author: Partial<Author>;
  /** Whether the author's address is the one that it came from; by the API a message may name no more than its contact. */
  is_exact: boolean;
}

export type MailSender = Sender & {
  /** Where replies are wanted: addresses separated by commas. */
  reply_to: string | null;
};

/** `addresses`: of a text that came by its provider, null otherwise. */
export type TextSender = Sender & { addresses: TextAddresses | null };

/** Which mails of a conversation a reply takes something from. */
const MAILS = {
  inbound: `message_direction = 'received'`,
  threaded: 'email_message_key IS NOT NULL',
  titled: `subject <> ''`,
};

/** Finds the mail or text that another one answers. */
@Injectable()
export class AnsweredMails {
  constructor(private readonly database: Database) {}

  /**
   * The latest inbound e-mail of a conversation, which a reply answers. If it lacks a Message-ID or subject, or there is
   * none, the latest mail that has one supplies it, even a mail of ours: the reply continues that thread.
   */
  async byReplyIn(organizationId: string, conversationId: string): Promise<AnsweredMessage | null> {
    const inbound = await this.latestMail(organizationId, conversationId, 'inbound');
    if (inbound?.subject && inbound.email_metadata.email_message_id) return inbound;
    const [threaded, titled] = await Promise.all([
      this.latestMail(organizationId, conversationId, 'threaded'),
      this.latestMail(organizationId, conversationId, 'titled'),
    ]);
    const thread = inbound?.email_metadata.email_message_id ? inbound : (threaded ?? inbound ?? titled);
    if (!thread) return null;
    return { subject: inbound?.subject || (titled?.subject ?? null), email_metadata: thread.email_metadata };
  }

  /** Who wrote the latest inbound e-mail of a conversation that no machine wrote; null without one. */
  async mailSender(organizationId: string, conversationId: string): Promise<MailSender | null> {
    const [row] = await this.database.query<MailSender>({
      name: 'latest_mail_sender',
      text: `SELECT COALESCE(author, '{}') AS author, raw IS NOT NULL AS is_exact, email_metadata->>'reply_to' AS reply_to FROM message
              WHERE organization_id = $1 AND conversation_id = $2 AND modality = 'email'
                AND message_direction = 'received' AND NOT is_auto_reply
              ORDER BY sent_at DESC, message_id DESC LIMIT 1`,
      values: [organizationId, conversationId],
    });
    return row ?? null;
  }

  /** Who wrote the latest inbound text of a conversation, or called; null without one. */
  async textSender(organizationId: string, conversationId: string): Promise<TextSender | null> {
    const [row] = await this.database.query<TextSender>({
      name: 'latest_text_sender',
      text: `SELECT COALESCE(author, '{}') AS author, text_addresses IS NOT NULL AS is_exact, text_addresses AS addresses FROM message
              WHERE organization_id = $1 AND conversation_id = $2 AND modality IN ('text', 'call')
                AND message_direction = 'received'
              ORDER BY sent_at DESC, message_id DESC LIMIT 1`,
      values: [organizationId, conversationId],
    });
    return row ?? null;
  }

  private async latestMail(
    organizationId: string,
    conversationId: string,
    which: keyof typeof MAILS,
  ): Promise<AnsweredMessage | null> {
    const [row] = await this.database.query<AnsweredMessage>({
      name: `latest_${which}_mail`,
      text: `SELECT subject, email_metadata FROM message
              WHERE organization_id = $1 AND conversation_id = $2 AND modality = 'email' AND ${MAILS[which]}
              ORDER BY sent_at DESC, message_id DESC LIMIT 1`,
      values: [organizationId, conversationId],
    });
    return row ?? null;
  }

  /** When the latest of our own mails with these keys (`messageIdKey`) was sent. */
  async latestSent(tx: Transaction, organizationId: string, keys: string[]): Promise<Instant | null> {
    const [row] = await tx.query<{ sent_at: Instant | null }>({
      name: 'latest_sent_mail',
      text: `SELECT max(sent_at) AS sent_at FROM unnest($2::text[]) AS answered(key) CROSS JOIN LATERAL (
               SELECT sent_at FROM message
                WHERE organization_id = $1 AND md5(email_message_key) = md5(key)
                  AND message_direction = 'sent' AND modality = 'email' OFFSET 0) ours`,
      values: [organizationId, keys],
    });
    return row?.sent_at ?? null;
  }

  /** The mail that a sent mail answers, as far as its own headers tell. */
  async bySent(organizationId: string, messageId: string): Promise<AnsweredMessage | null> {
    const [row] = await this.database.query<Pick<RecordedMessage, 'subject' | 'email_metadata'>>({
      name: 'mail_answered_by',
      text: 'SELECT subject, email_metadata FROM message WHERE organization_id = $1 AND message_id = $2',
      values: [organizationId, messageId],
    });
    if (!row) return null;
    const { in_reply_to, references } = row.email_metadata;
    const email_message_id = in_reply_to[0] ?? null;
    return { subject: row.subject, email_metadata: { email_message_id, in_reply_to: [], references } };
  }
}
