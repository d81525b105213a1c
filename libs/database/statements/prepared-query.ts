import pg from 'pg';
import { cutShort, type Statement } from './statement.js';

/** Makes a row from the texts of its columns; null stays null. */
type MakeRow = (texts: (string | null)[]) => object;
type ParseText = (text: string) => unknown;

/** The function that makes a statement's rows, and the column types it was made for. */
interface Known {
  types: readonly number[];
  makeRow: MakeRow;
}

/** Members of the driver's query that its declarations leave out. */
interface Internals {
  name: string;
  _result: pg.QueryResult<object> & {
    _types: { getTypeParser(type: number, format: 'text' | 'binary'): ParseText };
  };
  _canceledDueToError: unknown;
}

/** By statement name: within a process a name has one text. */
const knownRows = new Map<string, Known>();

/**
 * A named statement with a function of its own to make rows. The driver makes the rows of all statements in one place,
 * assigning columns by name: V8 cannot specialise that, and a row costs twice as much.
 */
export class PreparedQuery extends pg.Query {
  declare private makeRow: MakeRow;
  /** The rows of each group, when the first column tells a row's group. */
  private readonly groups: object[][] | undefined;
  /** Bytes of room left in each group. */
  private readonly room: number[] | undefined;

  constructor(
    readonly name: string,
    { text, values, groups, room }: Statement,
    answered: (error: Error | undefined, result: pg.QueryResult) => void,
  ) {
    super(text, values, answered);
    this.groups = groups === undefined ? undefined : Array.from({ length: groups }, () => []);
    this.room = room === undefined ? undefined : Array.from({ length: groups ?? 1 }, () => room);
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    const { _result: result } = this.internals;
    result.fields = fields;
    if (this.groups) result.rows = this.groups;
    let known = knownRows.get(this.name);
    if (!known || !fields.every(({ dataTypeID }, index) => dataTypeID === known!.types[index])) {
      const parsers = fields.map(({ dataTypeID }) => result._types.getTypeParser(dataTypeID, 'text'));
      known = {
        types: fields.map(({ dataTypeID }) => dataTypeID),
        makeRow: rowMaker(
          fields.map(({ name }) => name),
          parsers,
          this.groups ? 1 : 0,
        ),
      };
      knownRows.set(this.name, known);
    }
    this.makeRow = known.makeRow;
  }

  handleDataRow({ fields: texts, length }: { fields: (string | null)[]; length: number }): void {
    const internals = this.internals;
    try {
      const group = this.groups ? Number(texts[0]) : 0;
      const rows = this.groups ? this.groups[group]! : internals._result.rows;
      if (this.room && (this.room[group]! -= length) < 0 && rows.length > 0) cutShort(rows);
      else rows.push(this.makeRow(texts));
    } catch (error) {
      // Kept as the driver does: an error thrown here would end the process.
      internals._canceledDueToError ||= error;
    }
  }

  private get internals(): Internals {
    return this as unknown as Internals;
  }
}

/** The parser of text columns, which need no parsing. */
const asIs = pg.types.getTypeParser(pg.types.builtins.TEXT) as ParseText;

/** Makes a function with the column names from `first` on written out, so that V8 knows the shape of the rows. */
function rowMaker(columns: string[], parsers: ParseText[], first: number): MakeRow {
  const valueOf = (nr: number) =>
    parsers[nr] === asIs ? `texts[${nr}]` : `texts[${nr}] === null ? null : parsers[${nr}](texts[${nr}])`;
  const properties = columns.map((column, nr) => `${JSON.stringify(column)}: ${valueOf(nr)}`).slice(first);
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- of column names of our own statements, quoted.
  const make = new Function('parsers', `return (texts) => ({ ${properties.join(', ')} });`);
  return (make as (parsers: ParseText[]) => MakeRow)(parsers);
}
