/** One SQL statement; a `name` makes PostgreSQL keep its plan on the connection. */
export interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
  /** It may go together with others; see `Shareable`. */
  share?: Sharing;
  /** Its result is so many lists of rows, of which the first column of each row, which is left out, names one by its index. */
  groups?: number;
}

export interface Sharing {
  /** The types of its values, as PostgreSQL writes them. */
  types: readonly string[];
  /** Whether it takes locks: then it goes before the reads that are asked for in the same turn. */
  isLock?: boolean;
}

/** A transaction in progress. Statements issued without awaiting are sent at once (pipelined) and run in order. */
export interface Transaction {
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
}
