import type { Socket } from 'node:net';
import pg from 'pg';
import { PreparedQuery } from './prepared-query.js';
import type { Statement } from './statement.js';

export type Answered = (error: Error | undefined, result: pg.QueryResult) => void;

/** Builds the driver's query, since the driver copies a query given as an object property by property. */
export const queryOf = (statement: Statement, answered: Answered): pg.Query =>
  statement.name === undefined
    ? new pg.Query(statement.text, statement.values, answered)
    : new PreparedQuery(statement.name, statement, answered);

export const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
