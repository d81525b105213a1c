import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database } from '#database/database.js';
import { RowsAtOnce } from '#database/statements/rows-at-once.js';
import { SameReads } from '#database/statements/same-reads.js';
import { isCutShort } from '#database/statements/statement.js';
import type { DatedPageQuery, Page } from './page.dto.js';
import { ROOM_OF_PAGE } from './page-size.js';
import { invalid } from '../problems/problem.js';

const DEFAULT_LIMIT = 50;
/** Rows to ask for first; they show whether there is room for more. */
const FIRST_ROWS = 50;
const MOST_ROWS = 200;

/** A list as its query file defines it: what to read, and the two columns that order it, newest first. */
export interface List {
  name: string;
  select: string;
  sort: string;
  id: string;
  /** A condition that always holds, such as that of a partial index. */
  where?: string;
  /** Selects `one.*` from a set. For each item a page is read, as `one`; the newest rows of all are the page. */
  each?: string;
}

/**
 * A condition on a list, such as `['company_id =', id]`, or with a question mark for the value, as in `['(?::text[])[1] =
 * name', names]`. A condition with the value undefined does not apply.
 */
export type Condition = [sql: string, value: unknown];

/** Reads pages by key. Cursors are signed: one that was made up, or is for another list, tenant or filter, is refused. */
export class Pages {
  private readonly firstRows = new RowsAtOnce(FIRST_ROWS);
  private readonly otherRows = new RowsAtOnce(MOST_ROWS);

  private readonly reads: SameReads;

  constructor(
    database: Database,
    private readonly secret: Buffer,
  ) {
    this.reads = new SameReads(database);
  }

  /**
   * One page of a list, newest first, found by key and never by OFFSET. `start_date` and `end_date` apply to the
   * sort column. The first condition must be the organization's. A page of long texts may end before its limit.
   */
  async read<Row extends object>(
    list: List,
    conditions: Condition[],
    query: DatedPageQuery,
  ): Promise<Page<Row>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const applied = [
      ...conditions,
      [`${list.sort} >= ?::timestamptz`, query.start_date] satisfies Condition,
      [`${list.sort} < ?::timestamptz`, query.end_date] satisfies Condition,
    ].filter(([, value]) => value !== undefined);
    const scope = JSON.stringify([list.name, applied]);
    const after = query.cursor === undefined ? null : this.decode(query.cursor, scope);
    const part = async (atOnce: RowsAtOnce, after: [string, string] | null, wanted: number) => {
      const most = Math.min(wanted, atOnce.of(scope));
      const rows = await this.rows<Row>(list, applied, after, most + 1);
      atOnce.learn(scope, rows.length, isCutShort(rows));
      return { rows: rows.slice(0, most), hasMore: rows.length > most || isCutShort(rows) };
    };
    let { rows: data, hasMore } = await part(this.firstRows, after, Math.min(limit, FIRST_ROWS));
    if (hasMore && data.length === FIRST_ROWS && limit > FIRST_ROWS) {
      const rest = await part(this.otherRows, keyOf(list, data.at(-1)!), limit - FIRST_ROWS);
      data = data.concat(rest.rows);
      hasMore = rest.hasMore;
    }
    const next_cursor = hasMore ? this.encode(keyOf(list, data.at(-1)!), scope) : null;
    return { data, pagination: { limit, cursor: query.cursor ?? null, next_cursor, has_more: hasMore } };
  }

  private rows<Row extends object>(
    list: List,
    applied: Condition[],
    after: [string, string] | null,
    limit: number,
  ): Promise<Row[]> {
    const values = applied.map(([, value]) => value);
    const where = applied.map(([sql], index) =>
      sql.includes('?') ? sql.replace('?', `$${index + 1}`) : `${sql} $${index + 1}`,
    );
    if (list.where !== undefined) where.push(list.where);
    if (after) {
      where.push(`(${list.sort}, ${list.id}) < ($${values.length + 1}::timestamptz, $${values.length + 2})`);
      values.push(...after);
    }
    const newest = `ORDER BY ${list.sort} DESC, ${list.id} DESC LIMIT $${values.length + 1}`;
    const one = `${list.select} WHERE ${where.join(' AND ')} ${newest}`;
    const text = list.each === undefined ? one : `${list.each}, LATERAL (${one}) one ${newest}`;
    values.push(limit);
    return this.reads.read<Row>({
      name: statementName(list.name, text),
      text,
      values,
      room: ROOM_OF_PAGE,
    });
  }

  private encode(key: [string, string], scope: string): string {
    const payload = Buffer.from(JSON.stringify(key)).toString('base64url');
    return `${payload}.${this.sign(payload, scope)}`;
  }

  private decode(cursor: string, scope: string): [string, string] {
    const [payload = '', signature = '', ...rest] = cursor.split('.');
    const expected = Buffer.from(this.sign(payload, scope));
    const given = Buffer.from(signature);
    if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
      throw invalid([{ field: 'cursor', detail: 'is not a cursor of this list with these filters' }]);
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as [string, string];
  }

  private sign(payload: string, scope: string): string {
    return createHmac('sha256', this.secret).update(`${scope}\n${payload}`).digest('base64url').slice(0, 22);
  }
}

/** The two values that a cursor keeps of a row. */
function keyOf({ sort, id }: List, row: object): [string, string] {
  const { [sort]: at, [id]: its } = row as Record<string, string>;
  return [at!, its!];
}

const names = new Map<string, string>();

/** A short, stable name for each distinct statement of a list, so that PostgreSQL keeps its plan. */
function statementName(list: string, text: string): string {
  let name = names.get(text);
  if (!name) names.set(text, (name = `${list}_${names.size}`));
  return name;
}
