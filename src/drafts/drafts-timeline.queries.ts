import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#database/database.js';
import { Timelines } from '../crm/crm.contract.js';

/** Adds the replies to be sent to a contact, and first messages to the contact's address or number, to the timeline. */
@Injectable()
export class DraftsTimeline implements OnModuleInit {
  constructor(
    private readonly timelines: Timelines,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.timelines.add((organizationId, contactId, { at, key }, limit) =>
      this.database.query({
        name: 'timeline_drafts',
        text: `SELECT 'draft' AS type, draft_id AS id, created_at AS occurred_at, conversation_id, modality, subject, agent_id,
                      CASE delivery ->> 'status' WHEN 'none' THEN 'saved' ELSE delivery ->> 'status' END AS status,
                      'draft ' || draft_id AS key
                 FROM (SELECT draft.* FROM draft JOIN conversation USING (organization_id, conversation_id)
                        WHERE organization_id = $1 AND contact_id = $2 AND kind = 'response' AND message_id IS NULL
                        UNION ALL
                       (SELECT draft.* FROM contact JOIN draft ON draft.organization_id = $1 AND recipient_email = email
                         WHERE contact.organization_id = $1 AND contact_id = $2 AND email <> ''
                           AND kind = 'message' AND message_id IS NULL
                         UNION
                        SELECT draft.* FROM contact JOIN draft ON draft.organization_id = $1 AND recipient_phone_number = phone_number
                         WHERE contact.organization_id = $1 AND contact_id = $2 AND phone_number <> ''
                           AND kind = 'message' AND message_id IS NULL)) its
                WHERE created_at <= $3::timestamptz AND (created_at, 'draft ' || draft_id) < ($3::timestamptz, $4)
                ORDER BY occurred_at DESC, key DESC LIMIT $5`,
        values: [organizationId, contactId, at, key, limit],
      }),
    );
  }
}
