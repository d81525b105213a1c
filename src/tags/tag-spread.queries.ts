import { Injectable } from '@nestjs/common';
import type { Author } from '#kernel/context.js';
import { Database } from '#database/database.js';
import type { Reader, Transaction } from '#database/statements/statement.js';

/** How far records have been told of a tag that was changed or deleted. */
export interface Spread {
  /** Who changed it. */
  author: Author;
  /** The last record that was told; they are told in the order of their ids. */
  after_id: string;
}

/** For `DueWork`. */
export const UNFINISHED_SPREADS = 'SELECT organization_id FROM tag_spread';

/** Keeps which changes of tags have not come to all records yet. */
@Injectable()
export class TagSpreadQueries {
  constructor(private readonly database: Database) {}

  /** The tags, of any organization, of which records are to be told. */
  unfinished(limit: number): Promise<{ organization_id: string; tag_id: string }[]> {
    return this.database.query({
      name: 'unfinished_tag_spreads',
      text: 'SELECT organization_id, tag_id FROM tag_spread ORDER BY organization_id, tag_id LIMIT $1',
      values: [limit],
    });
  }

  async of(reader: Reader, organizationId: string, tagId: string): Promise<Spread | undefined> {
    const [row] = await reader.query<Spread>({
      name: 'tag_spread',
      text: 'SELECT author, after_id FROM tag_spread WHERE organization_id = $1 AND tag_id = $2',
      values: [organizationId, tagId],
    });
    return row;
  }

  /** Notes how far it has come; null when all records have been told. The append comes before it. */
  async note(tx: Transaction, organizationId: string, tagId: string, spread: Spread | null): Promise<void> {
    await tx.query(
      spread === null
        ? {
            name: 'end_tag_spread',
            text: 'DELETE FROM tag_spread WHERE organization_id = $1 AND tag_id = $2',
            values: [organizationId, tagId],
          }
        : {
            name: 'note_tag_spread',
            text: `INSERT INTO tag_spread (organization_id, tag_id, author, after_id) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (organization_id, tag_id) DO UPDATE SET author = excluded.author, after_id = excluded.after_id`,
            values: [organizationId, tagId, JSON.stringify(spread.author), spread.after_id],
          },
    );
  }
}
