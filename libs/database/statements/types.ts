import pg from 'pg';

type ParseText = (text: string) => unknown;

/** How values of each type are read. */
export interface Types {
  getTypeParser(oid: number, format?: 'text' | 'binary'): ParseText;
}

const TIMESTAMPTZ = 1184;

/** As the driver reads them, but for instants. */
export const TYPES: Types = {
  getTypeParser: (oid, format) =>
    oid === TIMESTAMPTZ ? instantFromPostgres : (pg.types.getTypeParser(oid, format) as ParseText),
};

/** `2026-01-02 03:04:05.67+00` -> `2026-01-02T03:04:05.670000Z`; the session's time zone is UTC. */
function instantFromPostgres(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(6, '0')}Z`;
}
