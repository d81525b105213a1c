import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#database/database.js';
import { Timelines } from '../crm/crm.contract.js';

/** Adds the messages of a contact's conversations, and of those that the contact wrote in, to the timeline. */
@Injectable()
export class MessagesTimeline implements OnModuleInit {
  constructor(
    private readonly timelines: Timelines,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.timelines.add((organizationId, contactId, { at, key }, limit) =>
      this.database.query({
        name: 'timeline_messages',
        text: `SELECT entry.* FROM (
                 SELECT conversation_id FROM conversation WHERE organization_id = $1 AND contact_id = $2
                  UNION
                 SELECT conversation_id FROM conversation_author WHERE organization_id = $1 AND contact_id = $2) its
                CROSS JOIN LATERAL (
                 SELECT 'message' AS type, message_id AS id, sent_at AS occurred_at, conversation_id, modality,
                        message_direction AS direction, subject, preview, agent_id, 'message ' || message_id AS key
                   FROM message
                  WHERE organization_id = $1 AND message.conversation_id = its.conversation_id
                    AND sent_at <= $3::timestamptz AND (sent_at, 'message ' || message_id) < ($3::timestamptz, $4)
                  ORDER BY sent_at DESC, message_id DESC LIMIT $5) entry
                ORDER BY occurred_at DESC, key DESC LIMIT $5`,
        values: [organizationId, contactId, at, key, limit],
      }),
    );
  }
}
