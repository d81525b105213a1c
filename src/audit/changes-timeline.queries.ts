import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#database/database.js';
import { Timelines } from '../crm/crm.contract.js';

/** Adds the changes of a contact itself to the timeline. */
@Injectable()
export class ChangesTimeline implements OnModuleInit {
  constructor(
    private readonly timelines: Timelines,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.timelines.add((organizationId, contactId, { at, key }, limit) =>
      this.database.query({
        name: 'timeline_changes',
        text: `SELECT 'change' AS type, audit_log_id AS id, occurred_at, action_type, changes,
                      'change ' || audit_log_id AS key
                 FROM audit_log
                WHERE organization_id = $1 AND record_id = $2
                  AND occurred_at <= $3::timestamptz AND (occurred_at, 'change ' || audit_log_id) < ($3::timestamptz, $4)
                ORDER BY occurred_at DESC, audit_log_id DESC LIMIT $5`,
        values: [organizationId, contactId, at, key, limit],
      }),
    );
  }
}
