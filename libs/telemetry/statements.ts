import type { Span } from '@opentelemetry/api';
import type pg from 'pg';

type Callback = (error: Error | null | undefined, ...rest: unknown[]) => void;
type Statement = string | { name?: string; text: string; submit?: unknown; callback?: Callback };
type Query = (statement: Statement, ...rest: unknown[]) => unknown;
type Start = (name: string, attributes: Record<string, string>) => Span | null;

/** Status of a span that has failed, as OpenTelemetry numbers it. */
const ERROR = 2;

/** Has `start` begin a span for each statement of a connection, which ends with the statement. Values are not told. */
export function traceStatements(client: pg.PoolClient, start: Start): void {
  const query = client.query.bind(client) as Query;
  const tracedQuery: Query = (statement, ...rest) => {
    const { name, text } = typeof statement === 'string' ? { name: undefined, text: statement } : statement;
    const word = name ?? /\w+/.exec(text)?.[0]?.toUpperCase() ?? 'statement';
    const span = start(`sql ${word}`, { 'db.system.name': 'postgresql', 'db.query.text': text });
    if (!span) return query(statement, ...rest);
    const end = (error?: Error | null) => {
      if (error) span.setStatus({ code: ERROR, message: error.message });
      span.end();
    };
    // Made by the caller, with a callback in it; or with one after it; or answered by a promise.
    if (typeof statement !== 'string' && statement.submit) {
      statement.callback = ending(statement.callback, end);
      return query(statement, ...rest);
    }
    const last = rest.at(-1);
    if (typeof last === 'function')
      return query(statement, ...rest.slice(0, -1), ending(last as Callback, end));
    const result = query(statement, ...rest) as Promise<unknown>;
    result.then(
      () => end(),
      (error: Error) => end(error),
    );
    return result;
  };
  client.query = tracedQuery as typeof client.query;
}

const ending =
  (callback: Callback | undefined, end: (error?: Error | null) => void): Callback =>
  (error, ...rest) => {
    end(error);
    callback?.(error, ...rest);
  };
