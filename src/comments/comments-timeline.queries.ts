import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#database/database.js';
import { Timelines } from '../crm/crm.contract.js';

/** Characters of a comment that are looked at for its preview, and that it has at most. */
const LOOKED_AT = 2_000;
const PREVIEW = 200;

/** Adds the comments on a contact, on the conversations with and of the contact, and on the contact's sales, to the timeline. */
@Injectable()
export class CommentsTimeline implements OnModuleInit {
  constructor(
    private readonly timelines: Timelines,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.timelines.add((organizationId, contactId, { at, key }, limit) =>
      this.database.query({
        name: 'timeline_comments',
        text: `SELECT entry.* FROM (
                 SELECT $2::text AS record_id
                  UNION ALL
                 SELECT conversation_id FROM conversation
                  WHERE organization_id = $1 AND contact_id = $2 AND comment_count > 0
                  UNION ALL
                 SELECT conversation_id FROM conversation_author
                  WHERE organization_id = $1 AND contact_id = $2 AND NOT is_own
                  UNION ALL
                 SELECT sale_id FROM sale
                  WHERE organization_id = $1
                    AND associated_contacts @> jsonb_build_array(jsonb_build_object('contact_id', $2::text))) its
                CROSS JOIN LATERAL (
                 SELECT 'comment' AS type, comment_id AS id, created_at AS occurred_at,
                        CASE record_type WHEN 'conversation' THEN record_id END AS conversation_id,
                        left(btrim(regexp_replace(left(body, ${LOOKED_AT}), '\\s+', ' ', 'g')), ${PREVIEW}) AS preview, agent_id,
                        'comment ' || comment_id AS key
                   FROM comment
                  WHERE organization_id = $1 AND comment.record_id = its.record_id
                    AND created_at <= $3::timestamptz AND (created_at, 'comment ' || comment_id) < ($3::timestamptz, $4)
                  ORDER BY created_at DESC, comment_id DESC LIMIT $5) entry
                ORDER BY occurred_at DESC, key DESC LIMIT $5`,
        values: [organizationId, contactId, at, key, limit],
      }),
    );
  }
}
