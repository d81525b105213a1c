import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#database/database.js';
import { Timelines } from '../crm/crm.contract.js';

/** Adds the sales of a contact, and the stages that they entered afterwards, to the timeline. */
@Injectable()
export class SalesTimeline implements OnModuleInit {
  constructor(
    private readonly timelines: Timelines,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.timelines.add((organizationId, contactId, { at, key }, limit) =>
      this.database.query({
        name: 'timeline_sales',
        text: `SELECT * FROM (
                 SELECT CASE nr WHEN 1 THEN 'sale' ELSE 'stage' END AS type, sale_id AS id,
                        (entered ->> 'changed_at')::timestamptz AS occurred_at,
                        name, owner_id AS agent_id, entered ->> 'status_id' AS status_id, entered ->> 'label' AS label,
                        'sale ' || sale_id || ' ' || to_char(nr, 'FM00000') AS key
                   FROM sale CROSS JOIN LATERAL jsonb_array_elements(status_history) WITH ORDINALITY AS history (entered, nr)
                  WHERE organization_id = $1
                    AND associated_contacts @> jsonb_build_array(jsonb_build_object('contact_id', $2::text))) its
                WHERE (occurred_at, key) < ($3::timestamptz, $4)
                ORDER BY occurred_at DESC, key DESC LIMIT $5`,
        values: [organizationId, contactId, at, key, limit],
      }),
    );
  }
}
