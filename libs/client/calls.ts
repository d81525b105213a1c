import type { paths } from './api.generated.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths of the API that have this method. */
export type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, unknown> ? P : never;
}[keyof paths];

export type Operation<P extends keyof paths, M extends Method> =
  paths[P] extends Record<M, infer Found> ? Found : never;

/** A property that may be left out when all within it may. */
type Part<Name extends string, T> = [T] extends [never]
  ? unknown
  : Partial<T> extends T
    ? { [N in Name]?: T }
    : { [N in Name]: T };

type PathOf<Op> = Op extends { parameters: { path: infer T } }
  ? T extends { organization_id: string }
    ? Omit<T, 'organization_id'> & { organization_id?: string }
    : T
  : never;
type QueryOf<Op> = Op extends { parameters: { query?: infer T } } ? NonNullable<T> : never;
type HeaderOf<Op> = Op extends { parameters: { header?: infer T } } ? NonNullable<T> : never;

/** A body that is no JSON: a file, a mail, a form. Without a type of its own it is `application/octet-stream`. */
export type RawBody = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | URLSearchParams;

type BodyIn<Content> = Content extends { 'application/json': infer T } ? T : RawBody;
type BodyOf<Op> = Op extends { requestBody: { content: infer Content } }
  ? { body: BodyIn<Content> }
  : Op extends { requestBody?: { content: infer Content } }
    ? { body?: BodyIn<Content> }
    : unknown;

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, and the wait between two tries: it rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** On top of the client's. */
  headers?: Record<string, string>;
  /** How often to try again; the client's `retries` when left out. */
  retries?: number;
  /** Seconds until a try that has not ended counts as lost, such as that of a large file; the client's when left out. */
  timeout?: number;
}

/** What a call of this operation is given. The organization's id may be left to the client. */
export type Given<Op> = Part<
  'params',
  Part<'path', PathOf<Op>> & Part<'query', QueryOf<Op>> & Part<'header', HeaderOf<Op>>
> &
  BodyOf<Op> &
  CallOptions;

type Success<Op> = Op extends { responses: infer All }
  ? { [S in keyof All]: S extends 200 | 201 | 202 ? All[S] : never }[keyof All]
  : never;
type DataIn<Found> = Found extends { content: infer Content }
  ? Content extends { 'application/json': infer T }
    ? T
    : keyof Content extends `text/${string}`
      ? string
      : Blob
  : undefined;

/** What a call of this operation gives: JSON as data, other text as a string, a file or mail as a Blob, and nothing for 204. */
export type Answer<Op> = [Success<Op>] extends [never] ? undefined : DataIn<Success<Op>>;

/** The second argument of a call: left out where nothing in it is needed. */
export type Arguments<T> = Partial<T> extends T ? [given?: T] : [given: T];

export type Call<M extends Method> = <P extends PathsWith<M>>(
  path: P,
  ...given: Arguments<Given<Operation<P, M>>>
) => Promise<Answer<Operation<P, M>>>;

/** The paths of lists that come in pages. */
export type ListPath = {
  [P in PathsWith<'get'>]: Answer<Operation<P, 'get'>> extends { data: unknown[]; pagination: unknown }
    ? P
    : never;
}[PathsWith<'get'>];

/** One row of such a list. */
export type Row<P extends ListPath> =
  Answer<Operation<P, 'get'>> extends { data: (infer One)[] } ? One : never;
