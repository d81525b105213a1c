import type { Database } from '#database/database.js';
import { Pages } from '#http/paging/page.js';
import { KeyUsage } from '../../../src/workspace/key-usage.js';
import { WorkspaceCache } from '../../../src/workspace/workspace.cache.js';
import { Directory } from '../../../src/workspace/workspace.directory.js';
import { WorkspaceQueries } from '../../../src/workspace/workspace.queries.js';

/** The workspace's directory on a database, without an application around it. */
export function directoryOf(database: Database): Directory {
  const queries = new WorkspaceQueries(database, new Pages(database, Buffer.alloc(32)));
  return new Directory(new WorkspaceCache(queries), queries, new KeyUsage(queries));
}
