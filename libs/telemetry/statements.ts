import type { Span } from '@opentelemetry/api';
import type pg from 'pg';

type Callback = (error: Error | null | undefined, ...rest: unknown[]) => void;
type Statement = string | { name?: string; text: string; submit?: unknown; callback?: Callback };
type Query = (statement: Statement, ...rest: unknown[]) => unknown;
type Start = (name: string, attributes: Record<string, string>) => Span | null;

/** OpenTelemetry's status of a failed span. */
const ERROR = 2;

/** Calls `start` to begin a span for each statement of a connection; the span ends with the statement. Values are left out. */
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
    // Three forms: a query object with a callback in it, a callback as the last argument, or a promise.
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
