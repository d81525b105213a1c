/** One SQL statement; a `name` makes PostgreSQL keep its plan on the connection. */
export interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
  /** Set when, in a transaction, it may share a statement with others; see `Shareable`. */
  share?: Sharing;
  /** Bytes of rows that the result may have; further rows are left out, see `isCutShort`. */
  room?: number;
}

const shortened = new WeakSet<object[]>();

/** Marks rows as incomplete for lack of room. The first row is always there, however large. */
export const cutShort = (rows: object[]): void => void shortened.add(rows);

/** Whether further rows were left out for lack of room. */
export const isCutShort = (rows: object[]): boolean => shortened.has(rows);

export interface Sharing {
  /** The PostgreSQL types of its values. */
  types: readonly string[];
  /** Whether it takes locks: it is then sent before the reads of the same turn. */
  isLock?: boolean;
}

/** Runs statements: the database or a transaction. Code that only reads leaves the choice to its caller. */
export interface Reader {
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
}

/** Lets the compiler tell a transaction from the database. */
export declare const inProgress: unique symbol;

/**
 * A transaction in progress. Code that asks for one writes or relies on locks, so the database cannot stand in for it.
 * Statements that are not awaited are sent at once (pipelined) and run in order.
 */
export interface Transaction extends Reader {
  readonly [inProgress]: true;
}
