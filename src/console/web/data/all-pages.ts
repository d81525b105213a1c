import type { Page } from './records.js';

/** The most that the API gives at once. */
const LIMIT = 200;

/** All rows of a list of some hundreds, such as tags; `load` is given the query of each page. */
export async function allPages<Row>(
  load: (query: { limit: number; cursor: string | null }) => Promise<Page<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const { data, pagination }: Page<Row> = await load({ limit: LIMIT, cursor });
    rows.push(...data);
    cursor = pagination.next_cursor;
  } while (cursor !== null);
  return rows;
}
