import type { Socket } from 'node:net';
import pg from 'pg';
import { cutShort, type Statement } from './statement.js';
import { TYPES } from './types.js';

export type Answered = (error: Error | undefined, rows: object[]) => void;

/** The driver's query for a statement. It calls back: with the driver's promises a list of 50 takes a quarter more time. */
export const queryOf = ({ name, text, values, room }: Statement, answered: Answered): pg.Query =>
  room === undefined
    ? new pg.Query({ name, text, values }, (error: Error | undefined, result: pg.QueryResult<object>) =>
        answered(error, result?.rows),
      )
    : queryWithin(room, { name, text, values }, answered);

/**
 * A query that keeps the first of its rows, up to so many bytes, and reads the others past: rows may have megabytes. The first
 * one is kept in any case.
 */
function queryWithin(room: number, config: pg.QueryConfig, answered: Answered): pg.Query {
  const rows: object[] = [];
  let left = room;
  const hasRoom = () => left >= 0 || rows.length === 0;
  const types = {
    getTypeParser(oid: number, format?: 'text' | 'binary') {
      const parse = TYPES.getTypeParser(oid, format);
      return (text: string) => {
        left -= Buffer.byteLength(text);
        return hasRoom() ? parse(text) : undefined;
      };
    },
  };
  const query = new pg.Query({ ...config, types });
  query.on('row', (row: object) => {
    if (hasRoom()) rows.push(row);
    else cutShort(rows);
  });
  query.on('error', (error: Error) => answered(error, []));
  query.on('end', () => answered(undefined, rows));
  return query;
}

export const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
