import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';

/** A snoozed conversation that is due to be open again. */
export interface DueConversation {
  organization_id: string;
  conversation_id: string;
}

/** For `DueWork`. */
export const DUE_CONVERSATIONS = 'SELECT organization_id FROM conversation WHERE snoozed_until <= now()';

/** Reads of snoozed conversations. */
@Injectable()
export class SnoozedConversations {
  constructor(private readonly database: Database) {}

  /**
   * Conversations whose instant has come by the database's clock, those due longest first; at most `limitEach` of an organization, so
   * that none waits for another's many.
   */
  due(limit: number, limitEach: number): Promise<DueConversation[]> {
    return this.database.query({
      name: 'due_conversations',
      text: `SELECT organization_id, conversation_id
               FROM (SELECT organization_id, conversation_id, snoozed_until,
                            row_number() OVER (PARTITION BY organization_id ORDER BY snoozed_until) AS nr
                       FROM conversation WHERE snoozed_until <= now()) due
              WHERE nr <= $2 ORDER BY snoozed_until LIMIT $1`,
      values: [limit, limitEach],
    });
  }
}
