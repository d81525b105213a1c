import { Injectable } from '@nestjs/common';
import { foundByIds } from '#database/by-ids.js';
import { Database } from '#database/database.js';
import { RowReader } from '#database/statements/row-reader.js';
import type { Reader } from '#database/statements/statement.js';
import { isId } from '#kernel/id.js';
import type { RecordTag } from '#kernel/tags.js';
import type { Page, PageQuery } from '#http/paging/page.dto.js';
import type { Condition, List } from '#http/paging/list.js';
import { Pages } from '#http/paging/page.js';
import { versionedRow } from '#http/versions/versioned.js';
import { sameNameKey, TAG_FIELDS } from './tag.js';
import type { AnyCarrier } from './tag-carriers.js';
import type { TagResponse } from './tags.dto.js';

const COLUMNS = TAG_FIELDS.join(', ');

const TAGS: List = {
  name: 'tags',
  select: `SELECT ${COLUMNS} FROM tag`,
  sort: 'order_key',
  id: 'tag_id',
  type: 'text',
  ascending: true,
  isHidden: true,
};

/**
 * The tags of a row as they are now, in the order of their names, as the column `tags`: one that was renamed or deleted is so
 * everywhere at once. $1 is the organization. Costs nothing where a row has none.
 */
export const tagsOf = (table: string): string =>
  `CASE WHEN ${table}.tag_ids IS NULL THEN '[]' ELSE (
     SELECT coalesce(json_agg(json_build_object('tag_id', tag.tag_id, 'name', tag.name, 'colour', tag.colour)
                              ORDER BY tag.order_key, tag.tag_id), '[]')
       FROM tag WHERE tag.organization_id = $1 AND tag.tag_id = ANY (${table}.tag_ids)) END AS tags`;

/** Narrows a list of the table to rows that have all of these tags. A deleted one may be left on some for a while, and finds none. */
export const hasTags = (table: string, ids: string[] | undefined): Condition[] =>
  ids === undefined
    ? []
    : [
        [`${table}.tag_ids @> ?::text[]`, ids],
        [
          `${ids.length} = (SELECT count(*) FROM tag WHERE tag.organization_id = $1 AND tag.tag_id = ANY (?::text[]))`,
          ids,
        ],
      ];

/** Reads of tags. */
@Injectable()
export class TagQueries {
  private readonly tags: RowReader<TagResponse & { stream_version: number }>;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
  ) {
    this.tags = new RowReader(database, {
      name: 'tag',
      table: 'tag',
      key: 'tag_id',
      columns: `${COLUMNS}, stream_version`,
    });
  }

  list(organizationId: string, query: PageQuery): Promise<Page<TagResponse>> {
    return this.pages.read(TAGS, [['organization_id =', organizationId]], query);
  }

  async tag(organizationId: string, tagId: string): Promise<TagResponse | undefined> {
    if (!isId('tag', tagId)) return undefined;
    const row = await this.tags.one(organizationId, tagId);
    return row && versionedRow(row);
  }

  /** Those of these tags that there are, in the order of their names. */
  withIds(reader: Reader, organizationId: string, ids: string[]): Promise<RecordTag[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return reader.query({
      name: 'tags_with_ids',
      text: `SELECT found.tag_id, found.name, found.colour
               FROM ${foundByIds('tag', 'tag_id', 'tag_id, name, colour, order_key')} ORDER BY order_key, tag_id`,
      values: [organizationId, ids],
      share: { types: ['text', 'text[]'] },
    });
  }

  /** The record that a command has changed, with its tags as they are now and not as it has last heard of them. */
  async present<Shown extends { tags: RecordTag[] }>(organizationId: string, record: Shown): Promise<Shown> {
    if (record.tags.length === 0) return record;
    const ids = record.tags.map(({ tag_id }) => tag_id);
    // In place, so that the record keeps its version.
    return Object.assign(record, { tags: await this.withIds(this.database, organizationId, ids) });
  }

  /** How many tags there are, `most` at most, and which has this name already. */
  async known(
    reader: Reader,
    organizationId: string,
    name: string,
    most: number,
  ): Promise<{ count: number; same: string | null }> {
    const [known] = await reader.query<{ count: number; same: string | null }>({
      name: 'known_tags',
      text: `SELECT (SELECT count(*)::int FROM (SELECT FROM tag WHERE organization_id = $1 LIMIT $3) one) AS count,
                    (SELECT tag_id FROM tag WHERE organization_id = $1 AND md5(name_key) = md5($2) LIMIT 1) AS same`,
      values: [organizationId, sameNameKey(name), most],
    });
    return known!;
  }

  /** The records of this kind that have the tag, in the order of their ids, after this one. */
  async carriers(
    reader: Reader,
    organizationId: string,
    { aggregate: { row } }: AnyCarrier,
    tagId: string,
    { after, limit }: { after: string; limit: number },
  ): Promise<string[]> {
    const rows = await reader.query<{ id: string }>({
      // Without a name, so that it is planned for this tag: many records may have it, or few.
      text: `SELECT ${row.key} AS id FROM ${row.table}
              WHERE organization_id = $1 AND tag_ids @> ARRAY[$2::text] AND ${row.key} > $3 ORDER BY ${row.key} LIMIT $4`,
      values: [organizationId, tagId, after, limit],
    });
    return rows.map(({ id }) => id);
  }
}
