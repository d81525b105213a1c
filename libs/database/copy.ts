import pg from 'pg';

/** The methods of the driver's connection that send COPY data. */
interface CopyTarget {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** A COPY statement that sends its lines when the server asks for them. The driver itself only knows how to refuse. */
class CopyQuery extends pg.Query {
  constructor(
    text: string,
    private readonly lines: Buffer[],
    onEnd: (error: Error | undefined) => void,
  ) {
    super(text, undefined, onEnd);
  }

  handleCopyInResponse(connection: CopyTarget): void {
    for (const chunk of this.lines) connection.sendCopyFromChunk(chunk);
    connection.endCopyFrom();
  }
}

/** Writes lines, as `copyLines` makes them, into the columns of a table. */
export function copyInto(
  client: pg.PoolClient,
  table: string,
  columns: readonly string[],
  lines: Buffer[],
): Promise<void> {
  const text = `COPY ${table} (${columns.join(', ')}) FROM STDIN`;
  return new Promise((resolve, reject) => {
    client.query(new CopyQuery(text, lines, (error) => (error ? reject(error) : resolve())));
  });
}

/** Rows in the text format of COPY (PostgreSQL manual, COPY, "File Formats"); objects go in as JSON. */
export function copyLines(columns: readonly string[], rows: object[]): Buffer {
  let lines = '';
  for (const row of rows) {
    let separator = '';
    for (const column of columns) {
      lines += separator + copyText((row as Record<string, Cell>)[column]);
      separator = '\t';
    }
    lines += '\n';
  }
  return Buffer.from(lines);
}

type Cell = string | number | boolean | object | null | undefined;

function copyText(value: Cell): string {
  if (value === null || value === undefined) return '\\N';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return SPECIAL.test(text) ? text.replace(ALL_SPECIAL, (character) => ESCAPES[character]!) : text;
}

const SPECIAL = /[\\\n\r\t]/;
const ALL_SPECIAL = /[\\\n\r\t]/g;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
