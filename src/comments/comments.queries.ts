import { Injectable } from '@nestjs/common';
import { foundByIds } from '#database/by-ids.js';
import { Database } from '#database/database.js';
import { RowReader } from '#database/statements/row-reader.js';
import type { Reader } from '#database/statements/statement.js';
import { isId } from '#kernel/id.js';
import type { DatedPageQuery, Page } from '#http/paging/page.dto.js';
import type { List } from '#http/paging/list.js';
import { Pages } from '#http/paging/page.js';
import { atVersion } from '#http/versions/versioned.js';
import type { Comment } from './comment.js';
import { comments } from './comments.projection.js';
import type { CommentResponse } from './comments.dto.js';

const COLUMNS = comments.row.columns.join(', ');

const COMMENTS: List = {
  name: 'comments',
  select: `SELECT ${COLUMNS} FROM comment`,
  sort: 'created_at',
  id: 'comment_id',
};

/** Reads of comments. */
@Injectable()
export class CommentQueries {
  private readonly comments: RowReader<Comment & { stream_version: number }>;

  constructor(
    database: Database,
    private readonly pages: Pages,
  ) {
    this.comments = new RowReader(database, {
      name: 'comment',
      table: 'comment',
      key: 'comment_id',
      columns: `${COLUMNS}, stream_version`,
    });
  }

  /** The comments on a record, whatever its type. */
  async list(
    organizationId: string,
    recordId: string,
    query: DatedPageQuery,
  ): Promise<Page<CommentResponse>> {
    const page = await this.pages.read<Comment>(
      COMMENTS,
      [
        ['organization_id =', organizationId],
        ['record_id =', recordId],
      ],
      query,
    );
    return { ...page, data: page.data.map(shownComment) };
  }

  async comment(organizationId: string, id: string): Promise<CommentResponse | undefined> {
    if (!isId('comment', id)) return undefined;
    const row = await this.comments.one(organizationId, id);
    return row && atVersion(shownComment(row), row.stream_version);
  }

  /** The ids of the comments on these records. */
  async onRecords(tx: Reader, organizationId: string, recordIds: string[]): Promise<string[]> {
    const rows = await tx.query<{ comment_id: string }>({
      name: 'comments_on_records',
      text: `SELECT found.* FROM ${foundByIds('comment', 'record_id', 'comment_id')} ORDER BY comment_id`,
      values: [organizationId, recordIds],
    });
    return rows.map(({ comment_id }) => comment_id);
  }
}

/** The comment as the contract shows it. */
export const shownComment = ({ record_type, record_id, ...comment }: Comment): CommentResponse => ({
  comment_id: comment.comment_id,
  record: { type: record_type, id: record_id },
  agent_id: comment.agent_id,
  body: comment.body,
  mentioned_agent_ids: comment.mentioned_agent_ids,
  created_at: comment.created_at,
  edited_at: comment.edited_at,
});
