import { Injectable } from '@nestjs/common';
import type { Statement, Transaction } from '#database/statements/statement.js';
import type { Instant } from '#kernel/instant.js';
import { referenceHash } from '../conversations.projection.js';
import { FOLLOWED } from '../message.js';
import { TIE, type Tied, type TiesQuery } from './thread-rules.js';

/** In hours: days would depend on the session's time zone. */
const THIRTY_DAYS = `interval '720 hours'`;

/**
 * How many conversations one mail ties together at most: each takes a lock, and the whole database shares the room for
 * locks.
 */
const MOST_TIED = 100;

/** How many of a contact's latest conversations are looked at for those that an automatic reply opened. */
export const MOST_LATEST = 20;

/** How many of a contact's conversations that go on at one instant are looked at. */
const MOST_AT_ONCE = 20;

/** `OFFSET 0` makes each row a probe of an index, whatever the statistics say, as in `foundByIds`. */
const ITS_MESSAGE = `CROSS JOIN LATERAL (
  SELECT conversation_id, sent_at FROM message
   WHERE organization_id = $1 AND message_id = mail_reference.message_id OFFSET 0) its_message`;

/**
 * The contact's ($2) earliest conversation that has no beginning and starts by this channel ($3) within 30 days after the
 * message ($4). None if `place`, the message's own conversation, went on in between: then another message is the latest
 * there.
 */
const AFTER = `
  SELECT later.conversation_id, 1 AS nr
    FROM (SELECT conversation_id, start_at FROM conversation
           WHERE organization_id = $1 AND contact_id = $2 AND start_at > $4 AND last_activity_at > $4
             AND start_at < $4::timestamptz + ${THIRTY_DAYS} AND NOT has_beginning) later
   CROSS JOIN LATERAL (
     SELECT modality FROM message m
      WHERE m.organization_id = $1 AND m.conversation_id = later.conversation_id
      ORDER BY m.sent_at, m.message_id LIMIT 1) its_first
   WHERE its_first.modality = $3
     AND NOT EXISTS (SELECT FROM place JOIN message m ON m.organization_id = $1 AND m.conversation_id = place.conversation_id
                      WHERE m.sent_at > $4 AND m.sent_at < later.start_at)
   ORDER BY later.start_at, later.conversation_id LIMIT 1`;

/** Reads, in the transaction that records a message, what tells where the message belongs. */
@Injectable()
export class ThreadQueries {
  /**
   * The conversations that a mail is tied to, nearest first: those with a mail that it answers, in the order it names them;
   * those with a mail that answers it; those where the same contact answers a mail that is not recorded. Of the mails it
   * answers, the first `FOLLOWED` are awaited.
   */
  async tiedConversations(
    tx: Transaction,
    organizationId: string,
    { messageKey, answered, contactId }: TiesQuery,
  ): Promise<Tied[]> {
    const hashes = answered.map(referenceHash);
    return tx.query<Tied>({
      name: 'tied_conversations',
      text: `SELECT conversation_id, tie, has_beginning FROM (SELECT DISTINCT ON (conversation_id) * FROM (
               SELECT conversation_id, ${TIE.ANSWERS} AS tie, nr, sent_at, message_id
                 FROM unnest($2::text[]) WITH ORDINALITY AS answered(hash, nr)
                CROSS JOIN LATERAL (
                  SELECT conversation_id, sent_at, message_id FROM message
                   WHERE organization_id = $1 AND md5(email_message_key) = hash OFFSET 0) there
                UNION ALL
               SELECT conversation_id, CASE contact_id WHEN '' THEN ${TIE.ANSWERED_BY_PLACED} ELSE ${TIE.ANSWERED} END, 0, sent_at, message_id
                 FROM mail_reference ${ITS_MESSAGE}
                WHERE organization_id = $1 AND reference_hash = $3
                UNION ALL
               SELECT conversation_id, ${TIE.ANSWERS_THE_SAME}, nr, sent_at, message_id
                 FROM unnest($2::text[]) WITH ORDINALITY AS answered(hash, nr)
                CROSS JOIN LATERAL (
                  SELECT message_id FROM mail_reference
                   WHERE organization_id = $1 AND reference_hash = hash
                     AND contact_id IN (
                       SELECT $4 UNION ALL SELECT contact_id FROM merged_contact WHERE organization_id = $1 AND into_id = $4)
                  OFFSET 0) mail_reference
                ${ITS_MESSAGE}
                WHERE nr <= ${FOLLOWED} AND NOT EXISTS (
                  SELECT FROM message o WHERE o.organization_id = $1 AND md5(o.email_message_key) = hash OFFSET 0)
             ) ties ORDER BY conversation_id, tie, nr, sent_at, message_id) nearest
              CROSS JOIN LATERAL (
                SELECT has_beginning FROM conversation c
                 WHERE c.organization_id = $1 AND c.conversation_id = nearest.conversation_id OFFSET 0) its
              ORDER BY tie, nr, sent_at, message_id LIMIT ${MOST_TIED}`,
      values: [organizationId, hashes, messageKey === null ? null : referenceHash(messageKey), contactId],
      share: { types: ['text', 'text[]', 'text', 'text'] },
    });
  }

  /**
   * The contact's conversations that a message by this channel ties together: first the latest one whose last message up to
   * `sentAt` came by this channel less than 30 days earlier, whatever came since; then the one that would have continued
   * from this message (`AFTER`).
   */
  async conversationsAround(
    tx: Transaction,
    organizationId: string,
    contactId: string,
    modality: string,
    sentAt: Instant,
  ): Promise<string[]> {
    return idsOf(tx, {
      name: 'conversations_around',
      text: `WITH place AS (SELECT conversation_id FROM (
                (SELECT conversation_id, last_activity_at AS went_on_at FROM conversation
                  WHERE organization_id = $1 AND contact_id = $2 AND last_modality = $3
                    AND last_activity_at > $4::timestamptz - ${THIRTY_DAYS} AND last_activity_at <= $4
                  ORDER BY last_activity_at DESC, conversation_id DESC LIMIT 1)
                UNION ALL
                (SELECT conversation_id, its_last.sent_at
                   FROM (SELECT conversation_id FROM conversation
                          WHERE organization_id = $1 AND contact_id = $2 AND last_activity_at > $4 AND start_at <= $4
                          ORDER BY last_activity_at, conversation_id LIMIT ${MOST_AT_ONCE}) goes_on
                  CROSS JOIN LATERAL (
                    SELECT modality, sent_at FROM message m
                     WHERE m.organization_id = $1 AND m.conversation_id = goes_on.conversation_id AND m.sent_at <= $4
                     ORDER BY m.sent_at DESC, m.message_id DESC LIMIT 1) its_last
                  WHERE its_last.modality = $3 AND its_last.sent_at > $4::timestamptz - ${THIRTY_DAYS})) before
               ORDER BY went_on_at DESC, conversation_id DESC LIMIT 1)
             SELECT conversation_id, 0 AS nr FROM place UNION ALL (${AFTER}) ORDER BY nr`,
      values: [organizationId, contactId, modality, sentAt],
      share: { types: ['text', 'text', 'text', 'timestamptz'] },
    });
  }

  /** The conversation that would have continued from a message in this one, by this channel at `sentAt` (`AFTER`). */
  async conversationAfter(
    tx: Transaction,
    organizationId: string,
    conversationId: string,
    modality: string,
    sentAt: Instant,
  ): Promise<string[]> {
    return idsOf(tx, {
      name: 'conversation_after',
      text: `WITH place AS (SELECT $2 AS conversation_id)
             SELECT later.conversation_id FROM conversation its CROSS JOIN LATERAL (${AFTER.replaceAll('$2', 'its.contact_id')}) later
              WHERE its.organization_id = $1 AND its.conversation_id = $2`,
      values: [organizationId, conversationId, modality, sentAt],
      share: { types: ['text', 'text', 'text', 'timestamptz'] },
    });
  }

  /** The contact's conversation that would have continued from one that a message by this channel opens at `sentAt` (`AFTER`). */
  async conversationFrom(
    tx: Transaction,
    organizationId: string,
    contactId: string,
    modality: string,
    sentAt: Instant,
  ): Promise<string[]> {
    return idsOf(tx, {
      name: 'conversation_from',
      text: `WITH place AS (SELECT NULL AS conversation_id WHERE false) ${AFTER}`,
      values: [organizationId, contactId, modality, sentAt],
      share: { types: ['text', 'text', 'text', 'timestamptz'] },
    });
  }

  /** Those of the contact's latest conversations that an automatic reply has opened since an instant, the first first. */
  async openedByAutoReply(
    tx: Transaction,
    organizationId: string,
    contactId: string,
    since: Instant,
  ): Promise<string[]> {
    return idsOf(tx, {
      name: 'opened_by_auto_reply',
      text: `SELECT conversation_id
               FROM (SELECT conversation_id, start_at FROM conversation
                      WHERE organization_id = $1 AND contact_id = $2 AND last_activity_at > $3 AND start_at > $3
                      ORDER BY last_activity_at DESC, conversation_id DESC LIMIT ${MOST_LATEST}) latest
              CROSS JOIN LATERAL (
                SELECT is_auto_reply FROM message m
                 WHERE m.organization_id = $1 AND m.conversation_id = latest.conversation_id
                 ORDER BY m.sent_at, m.message_id LIMIT 1) its_first
              WHERE is_auto_reply ORDER BY start_at, conversation_id`,
      values: [organizationId, contactId, since],
    });
  }

  /** Counts the automatic replies of a conversation sent after an instant, up to `most`. */
  async autoRepliesSince(
    tx: Transaction,
    organizationId: string,
    conversationId: string,
    since: Instant,
    most: number,
  ): Promise<number> {
    const [row] = await tx.query<{ count: number }>({
      name: 'auto_replies_since',
      text: `SELECT count(*)::int AS count FROM (
               SELECT FROM message WHERE organization_id = $1 AND conversation_id = $2 AND sent_at > $3 AND is_auto_reply
                LIMIT $4) replies`,
      values: [organizationId, conversationId, since, most],
    });
    return row!.count;
  }

  /** The contact of the latest message by this live-chat visitor. */
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

/** The conversations that a statement gives. */
async function idsOf(tx: Transaction, statement: Statement): Promise<string[]> {
  const rows = await tx.query<{ conversation_id: string }>(statement);
  return rows.map(({ conversation_id }) => conversation_id);
}
