import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#database/database.js';
import { loadRows } from '#event-store/rows.js';
import { type Contact, contacts, matchKeysOf, Timelines } from '../crm/crm.contract.js';
import { digitsKey } from './recipient-key.js';

/** Adds the replies to be sent to a contact, and first messages to the contact's address or number, to the timeline. */
@Injectable()
export class DraftsTimeline implements OnModuleInit {
  constructor(
    private readonly timelines: Timelines,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.timelines.add(async (organizationId, contactId, { at, key }, limit) =>
      this.database.query({
        name: 'timeline_drafts',
        text: `SELECT 'draft' AS type, draft_id AS id, created_at AS occurred_at, conversation_id, modality, subject, agent_id,
                      CASE delivery ->> 'status' WHEN 'none' THEN 'saved' ELSE delivery ->> 'status' END AS status,
                      'draft ' || draft_id AS key
                 FROM (SELECT draft.* FROM conversation JOIN draft USING (organization_id, conversation_id)
                        WHERE organization_id = $1 AND contact_id = $2 AND kind = 'response' AND message_id IS NULL
                        UNION ALL
                       SELECT to_it.* FROM unnest($6::text[]) AS own (recipient_key) CROSS JOIN LATERAL (
                         SELECT * FROM draft
                          WHERE organization_id = $1 AND recipient_key = own.recipient_key
                            AND kind = 'message' AND message_id IS NULL AND created_at <= $3::timestamptz
                          ORDER BY created_at DESC, draft_id DESC LIMIT $5) to_it) its
                WHERE created_at <= $3::timestamptz AND (created_at, 'draft ' || draft_id) < ($3::timestamptz, $4)
                ORDER BY occurred_at DESC, key DESC LIMIT $5`,
        values: [organizationId, contactId, at, key, limit, await this.keysOf(organizationId, contactId)],
      }),
    );
  }

  /** The keys of all drafts to the contact, and to those merged into it. */
  private async keysOf(organizationId: string, contactId: string): Promise<string[]> {
    const found = await loadRows<Contact>(this.database, contacts.row, organizationId, [contactId]);
    const contact = found.get(contactId)?.state;
    if (!contact) return [];
    const keys = [...matchKeysOf(contact), ...contact.merged_keys];
    const numbers = keys.filter((key) => key.startsWith('phone:'));
    if (contact.phone_number !== '') numbers.push(contact.phone_number);
    return [...new Set([...keys, ...numbers.map(digitsKey)])];
  }
}
