import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import { RowReader } from '#database/statements/row-reader.js';
import type { FoundRecords } from '#http/expansion/record-readers.js';
import { MESSAGE_COLUMNS } from './messages.queries.js';
import type { Clicks } from './link-clicks.queries.js';
import { type MessageRow, shownMessage } from './shown-message.js';

/** The clicks on the links of a message, by link; null without any. */
const CLICKS = `(SELECT jsonb_object_agg(link_id, jsonb_build_object(
                          'click_count', click_count, 'scanner_count', scanner_count))
                   FROM link_click
                  WHERE link_click.organization_id = $1
                    AND link_id = ANY (ARRAY(
                          SELECT link ->> 'link_id' FROM jsonb_array_elements(message.tracked_links) link))) AS clicks`;

type Row = MessageRow & { clicks: Record<string, Clicks> | null };

/** Reads messages of any conversations by their ids. */
@Injectable()
export class MessagesByIds {
  private readonly messages: RowReader<Row>;

  constructor(database: Database) {
    this.messages = new RowReader(database, {
      name: 'messages_with_clicks',
      table: 'message',
      key: 'message_id',
      columns: `${MESSAGE_COLUMNS}, ${CLICKS}`,
    });
  }

  /** The messages as their own route shows them, by one statement, as far as there is room. */
  async read(organizationId: string, ids: string[], room: number): Promise<FoundRecords> {
    const { rows, isWhole } = await this.messages.within(room, organizationId, ids);
    const shown = rows.map(({ clicks, ...row }) => shownMessage(row, new Map(Object.entries(clicks ?? {}))));
    return { byId: new Map(shown.map((message) => [message.message_id, message])), isWhole };
  }
}
