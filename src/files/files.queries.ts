import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import { RowReader } from '#database/statements/row-reader.js';
import type { Reader } from '#database/statements/statement.js';
import { isId } from '#kernel/id.js';
import type { Instant } from '#kernel/instant.js';
import type { FileFacts } from './file.js';

/** Reads of uploaded files. */
@Injectable()
export class FileQueries {
  private readonly files: RowReader<FileFacts>;

  constructor(private readonly database: Database) {
    this.files = new RowReader(database, {
      name: 'file',
      table: 'file',
      key: 'file_id',
      columns: 'file_id, file_name, content_type, size, sha256, created_at',
    });
  }

  async file(organizationId: string, id: string): Promise<FileFacts | undefined> {
    return isId('file', id) ? this.files.one(organizationId, id) : undefined;
  }

  /** Whether another file than this one has the same bytes. */
  async hasTwin(tx: Reader, organizationId: string, { file_id, sha256 }: FileFacts): Promise<boolean> {
    const found = await tx.query({
      name: 'file_twin',
      text: `SELECT FROM file WHERE organization_id = $1 AND sha256 = $2 AND file_id <> $3 LIMIT 1`,
      values: [organizationId, sha256, file_id],
    });
    return found.length > 0;
  }

  /** Some of the files, of all organizations, that have been in no draft since before this instant. */
  unused(before: Instant, limit: number): Promise<{ organization_id: string; file_id: string }[]> {
    return this.database.query({
      name: 'files_unused',
      text: `SELECT organization_id, file_id FROM file WHERE unused_since < $1 ORDER BY unused_since LIMIT $2`,
      values: [before, limit],
    });
  }
}
