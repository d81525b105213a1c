/** One SQL statement; a `name` makes PostgreSQL keep its plan on the connection. */
export interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
  /** It may go together with others; see `Shareable`. */
  share?: Sharing;
  /** Its result is so many lists of rows, of which the first column of each row, which is left out, names one by its index. */
  groups?: number;
  /** Bytes that there is room for in its result, or in each group of it: rows beyond them are left out, see `isCutShort`. */
  room?: number;
}

const shortened = new WeakSet<object[]>();

/** Tells of these rows that there was no room for all of them. The first is there, however large it is. */
export const cutShort = (rows: object[]): void => void shortened.add(rows);

/** Whether there are more of these rows, for which there was no room. */
export const isCutShort = (rows: object[]): boolean => shortened.has(rows);

export interface Sharing {
  /** The types of its values, as PostgreSQL writes them. */
  types: readonly string[];
  /** Whether it takes locks: then it goes before the reads that are asked for in the same turn. */
  isLock?: boolean;
}

/** What runs statements: the database, or a transaction. Who only reads leaves it to the caller which. */
export interface Reader {
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
}

/** Tells a transaction from the database for the compiler alone. */
export declare const inProgress: unique symbol;

/**
 * A transaction in progress, for which the database itself cannot stand in: who asks for one writes, or relies on locks.
 * Statements issued without awaiting are sent at once (pipelined) and run in order.
 */
export interface Transaction extends Reader {
  readonly [inProgress]: true;
}
