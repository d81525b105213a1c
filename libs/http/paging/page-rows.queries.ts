import type { Database } from '#database/database.js';
import { Loader } from '#database/statements/loader.js';
import { SameReads } from '#database/statements/same-reads.js';
import { isCutShort, type Reader, type Statement } from '#database/statements/statement.js';
import type { Condition, List } from './list.js';
import { ROOM_OF_PAGE } from './page-size.js';

/** The rows of a list after a place in it. */
export interface Part {
  list: List;
  /** The organization's condition first. */
  conditions: Condition[];
  after: Place | null;
  limit: number;
}

/** What the list is in order of, and the id, of a row. */
export type Place = [at: string, id: string, ...more: unknown[]];

/** The column of what a list is in order of, where its rows do not show that. */
export const KEY = 'page_key';

/** Reads parts of lists, those that are asked for at the same moment together. The rows are shared: change none. */
export class PageRows {
  private readonly same: SameReads;
  private readonly ofMany: Loader<Part, object[]>;

  constructor(database: Database) {
    this.same = new SameReads(database);
    this.ofMany = new Loader(database, (query, parts) => readOfMany({ query }, parts));
  }

  read<Row extends object>(part: Part): Promise<Row[]> {
    const statement = statementOf(part);
    if (!isOfOne(part)) return this.same.query<Row>(statement);
    const group = JSON.stringify([statement.name, organizationOf(part), part.limit]);
    return this.ofMany.one(group, part) as Promise<Row[]>;
  }
}

const organizationOf = ({ conditions }: Part) => conditions[0]![1] as string;

/** Whether it is the first page of a list by its column `of` alone. */
const isOfOne = ({ list, conditions, after }: Part): boolean =>
  after === null && list.of !== undefined && conditions.length === 2 && conditions[1]![0] === `${list.of} =`;

/** The value of the column `of`. */
const oneOf = ({ conditions }: Part) => conditions[1]![1] as string;

/** First pages that differ in the column `of`; where there is no room for all of them at once, one after the other. */
async function readOfMany(reader: Reader, parts: Part[]): Promise<(part: Part) => object[]> {
  const [first] = parts as [Part];
  const byOne = new Map(parts.map((part) => [oneOf(part), part]));
  const found = new Map<string, object[]>([...byOne.keys()].map((one) => [one, []]));
  const rows =
    byOne.size > 1 ? await reader.query<Record<string, string>>(ofMany(first, [...byOne.keys()])) : null;
  if (rows && !isCutShort(rows)) for (const row of rows) found.get(row[first.list.of!]!)!.push(row);
  else for (const [one, part] of byOne) found.set(one, await reader.query(statementOf(part)));
  return (part) => found.get(oneOf(part))!;
}

/** The first pages of many. A LIMIT within LATERAL is read in a nested loop, which keeps the order of each. */
function ofMany(first: Part, many: string[]): Statement {
  const { list, conditions, limit } = first;
  const page = textOf(list, conditions, null, (nr) => (nr === 2 ? 'asked.one' : `$${nr}`));
  const text = `SELECT page.* FROM unnest($2::text[]) AS asked (one) CROSS JOIN LATERAL (${page}) AS page`;
  const values = [organizationOf(first), many, limit];
  return { name: statementName(list.name, text), text, values, room: ROOM_OF_PAGE };
}

function statementOf({ list, conditions, after, limit }: Part): Statement {
  const text = textOf(list, conditions, after);
  return {
    ...(keepsPlan(conditions) && { name: statementName(list.name, text) }),
    text,
    values: [...conditions.map(([, value]) => value), ...(after ? after.slice(0, 2) : []), limit],
    room: ROOM_OF_PAGE,
  };
}

/** Its parameters: the values of the conditions, the place where there is one, the limit. */
function textOf(
  list: List,
  conditions: Condition[],
  after: Place | null,
  parameter = (nr: number) => `$${nr}`,
): string {
  const { sort, id, type = 'timestamptz', ascending = false } = list;
  let nr = 0;
  const next = () => parameter(++nr);
  const where = conditions.map(([sql]) =>
    sql.includes('?') ? sql.replaceAll('?', next()) : `${sql} ${next()}`,
  );
  if (list.where !== undefined) where.push(list.where);
  if (after) where.push(`(${sort}, ${id}) ${ascending ? '>' : '<'} (${next()}::${type}, ${next()})`);
  const way = ascending ? '' : ' DESC';
  const newest = `ORDER BY ${sort}${way}, ${id}${way} LIMIT ${next()}`;
  const select = list.isHidden
    ? list.select.replace(/^\w+/, (word) => `${word} ${sort} AS ${KEY},`)
    : list.select;
  const one = `${select} WHERE ${where.join(' AND ')} ${newest}`;
  return list.each === undefined ? one : `${list.each}, LATERAL (${one}) one ${newest}`;
}

/**
 * Whether a plan may be kept for all values: without a filter, or with one by a column that has an index. Which index serves
 * others best depends on their values, so PostgreSQL plans those anew.
 */
function keepsPlan([, ...conditions]: Condition[]): boolean {
  const filters = conditions.filter(([sql]) => !sql.endsWith('?::timestamptz'));
  return filters.length === 0 || (filters.length === 1 && filters[0]![0].endsWith(' ='));
}

const names = new Map<string, string>();

/** A short, stable name for each distinct statement of a list, so that PostgreSQL keeps its plan. */
function statementName(list: string, text: string): string {
  let name = names.get(text);
  if (!name) names.set(text, (name = `${list}_${names.size}`));
  return name;
}
