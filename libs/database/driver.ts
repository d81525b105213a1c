import type { Socket } from 'node:net';
import pg from 'pg';
import { PreparedQuery } from './prepared-query.js';
import type { Statement } from './statement.js';

export type Answered = (error: Error | undefined, result: pg.QueryResult) => void;

/** Made here, since the driver copies a query that is given as an object, property by property. */
export const queryOf = ({ name, text, values, groups }: Statement, answered: Answered): pg.Query =>
  name === undefined
    ? new pg.Query(text, values, answered)
    : new PreparedQuery(name, text, values, answered, groups);

export const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
