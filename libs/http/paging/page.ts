import type { Database } from '#database/database.js';
import { RowsAtOnce } from '#database/statements/rows-at-once.js';
import { isCutShort } from '#database/statements/statement.js';
import type { DatedPageQuery, Page } from './page.dto.js';
import { Cursors } from './cursors.js';
import type { Condition, List } from './list.js';
import { endable } from './page-ends.js';
import { KEY, PageRows, type Place } from './page-rows.queries.js';
import { drawLine } from '#event-store/lines.js';
import type { Instant } from '#kernel/instant.js';
import { invalid } from '../problems/problem.js';

const DEFAULT_LIMIT = 50;
/** Rows to ask for first; they show whether there is room for more. */
const FIRST_ROWS = 50;
const MOST_ROWS = 200;

/** Reads pages by key. Cursors are signed: one that was made up, or is for another list, tenant or filter, is refused. */
export class Pages {
  private readonly firstRows = new RowsAtOnce(FIRST_ROWS);
  private readonly otherRows = new RowsAtOnce(MOST_ROWS);

  private readonly rows: PageRows;
  private readonly cursors: Cursors;

  constructor(
    private readonly database: Database,
    secret: Buffer,
  ) {
    this.rows = new PageRows(database);
    this.cursors = new Cursors(secret);
  }

  /**
   * One page of a list in the order that the query names, found by key and never by OFFSET. `start_date` and `end_date` apply
   * to the list's own sort column. The first condition must be the organization's. A page of long texts may end before its limit.
   */
  async read<Row extends object>(
    list: List,
    conditions: Condition[],
    query: DatedPageQuery & { sort?: string; updated_since?: Instant },
  ): Promise<Page<Row>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const applied = [
      ...conditions,
      [`${list.sort} >= ?::timestamptz`, query.start_date] satisfies Condition,
      [`${list.sort} < ?::timestamptz`, query.end_date] satisfies Condition,
    ].filter(([, value]) => value !== undefined);
    const since = query.updated_since;
    const order = since === undefined ? list.orders?.[query.sort ?? ''] : byUpdate(list, query);
    const ordered: List = { ...list, ...order };
    const scope = JSON.stringify([list.name, applied, ...(order ? [query.sort ?? since] : [])]);
    const after = query.cursor === undefined ? null : this.cursors.read<Place>(query.cursor, scope);
    if (since !== undefined) {
      // What is committed later has changed later, so whoever goes on from the last row misses nothing.
      const line = await drawLine(this.database, conditions[0]![1] as string);
      applied.push([`${ordered.sort} >= ?::timestamptz`, since], [`${ordered.sort} <= ?::timestamptz`, line]);
    }
    const page = await this.rowsOf<Row>(ordered, applied, scope, after, limit);
    const next_cursor = page.next ? this.cursors.write(page.next, scope) : null;
    const pagination = { limit, cursor: query.cursor ?? null, next_cursor, has_more: next_cursor !== null };
    const cursorBehind = (index: number) => this.cursors.write(page.placeOf(index), scope);
    return { data: page.rows, pagination: endable(pagination, cursorBehind) };
  }

  /** Up to `limit` rows after this place, of the list and then of its rest; and where the next page begins, if there is one. */
  private async rowsOf<Row extends object>(
    list: List,
    applied: Condition[],
    scope: string,
    after: Place | null,
    limit: number,
  ): Promise<Rows<Row>> {
    if (list.rest && after?.[2] === IN_REST) return this.rowsOfRest(list.rest, applied, scope, after, limit);
    const part = async (atOnce: RowsAtOnce, after: Place | null, wanted: number) => {
      const most = Math.min(wanted, atOnce.of(scope));
      const rows = await this.rows.read<Row>({ list, conditions: applied, after, limit: most + 1 });
      atOnce.learn(scope, rows.length, isCutShort(rows));
      return { rows: rows.slice(0, most), hasMore: rows.length > most || isCutShort(rows) };
    };
    let { rows, hasMore } = await part(this.firstRows, after, Math.min(limit, FIRST_ROWS));
    if (hasMore && rows.length === FIRST_ROWS && limit > FIRST_ROWS) {
      const others = await part(this.otherRows, placeOf(list, rows.at(-1)!), limit - FIRST_ROWS);
      rows = rows.concat(others.rows);
      hasMore = others.hasMore;
    }
    const last = rows.length === 0 ? after : placeOf(list, rows.at(-1)!);
    const shown = list.isHidden ? rows.map(withoutKey) : rows;
    const placeOfOwn = (index: number) => placeOf(list, rows[index]!);
    if (hasMore) return { rows: shown, next: last, placeOf: placeOfOwn };
    if (!list.rest) return { rows: shown, next: null, placeOf: placeOfOwn };
    const rest = await this.rowsOfRest<Row>(list.rest, applied, scope, null, limit - rows.length);
    return {
      rows: [...shown, ...rest.rows],
      next: rest.next && rest.rows.length === 0 ? last : rest.next,
      placeOf: (index) => (index < rows.length ? placeOfOwn(index) : rest.placeOf(index - rows.length)),
    };
  }

  private async rowsOfRest<Row extends object>(
    rest: List,
    applied: Condition[],
    scope: string,
    after: Place | null,
    limit: number,
  ): Promise<Rows<Row>> {
    const rows = await this.rows.read<Row>({ list: rest, conditions: applied, after, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const placeOfOwn = (index: number): Place => {
      const [at, id] = placeOf(rest, shown[index]!);
      return [at, id, IN_REST];
    };
    if (rows.length === shown.length && !isCutShort(rows)) return { rows, next: null, placeOf: placeOfOwn };
    const next: Place = shown.length > 0 ? placeOfOwn(shown.length - 1) : ['', '', IN_REST];
    return { rows: shown, next, placeOf: placeOfOwn };
  }
}

/** The order of a list for `updated_since`; no other goes with it. */
function byUpdate({ updated }: List, { sort }: { sort?: string }) {
  if (sort !== undefined)
    throw invalid([
      { field: 'sort', detail: 'must be left out with updated_since, which has an order of its own' },
    ]);
  return {
    sort: 'updated_at',
    ascending: true,
    type: undefined,
    rest: undefined,
    isHidden: false,
    ...updated,
  };
}

const IN_REST = 1;

/** Rows of a page, where the next one begins, and the place of each row by its index. */
interface Rows<Row> {
  rows: Row[];
  next: Place | null;
  placeOf: (index: number) => Place;
}

function placeOf({ sort, id, isHidden }: List, row: object): Place {
  const { [isHidden ? KEY : sort]: at, [id]: its } = row as Record<string, string>;
  return [at!, its!];
}

const withoutKey = <Row extends object>(row: Row): Row => {
  const { [KEY]: _, ...shown } = row as Row & { [KEY]?: unknown };
  return shown as Row;
};
