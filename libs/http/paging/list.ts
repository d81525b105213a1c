/** What the rows of a list are in order of, their ids breaking ties. */
export interface Order {
  /** A column, or an expression that is never null. */
  sort: string;
  /** Its type in PostgreSQL; an instant when left out. */
  type?: 'timestamptz' | 'text' | 'numeric';
  /** Whether the smallest comes first. */
  ascending?: boolean;
  /** Set where the rows do not show the value of `sort`. */
  isHidden?: boolean;
}

/** A list as its query file defines it: what to read, and the two columns that order it, newest first. */
export interface List extends Order {
  name: string;
  select: string;
  id: string;
  /** Further orders that callers may ask for, by name; `start_date` and `end_date` stay with the first one. */
  orders?: Record<string, Order & Partial<Pick<List, 'select' | 'where' | 'rest'>>>;
  /** How it is read and ordered for `updated_since`, where its rows are not simply in order of their `updated_at`. */
  updated?: Partial<Pick<List, 'select' | 'sort' | 'isHidden'>>;
  /** Read where this list ends: the rows without what it is in order of. */
  rest?: List;
  /** A condition that always holds, such as that of a partial index. */
  where?: string;
  /** A column that its rows show. First pages that differ only in it are read together. */
  of?: string;
  /** Selects `one.*` from a set. For each item a page is read, as `one`; the newest rows of all are the page. */
  each?: string;
}

/**
 * A condition on a list, such as `['company_id =', id]`, or with question marks for the value, as in `['(?::text[])[1] =
 * name', names]`. A condition with the value undefined does not apply.
 */
export type Condition = [sql: string, value: unknown];
