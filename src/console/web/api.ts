import { root } from './root.js';

/** A refusal of the API (RFC 9457), or an answer that is none (`status` 0: no answer at all). */
export class ParleyError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly errors: { field: string; detail: string }[] = [],
    readonly hint: string | null = null,
    readonly requestId: string | null = null,
  ) {
    super(detail);
  }
}

type Values = Record<string, string | number | boolean | null | undefined | string[]>;

export interface Options {
  params?: { path?: Record<string, string>; query?: Values };
  /** Sent as JSON; a file as it is. */
  body?: unknown;
  signal?: AbortSignal;
}

/** Told of each answer, and of each request without one. */
export const watch: { answered(response: Response): void; lost(): void } = {
  answered: () => undefined,
  lost: () => undefined,
};

/** Calls the API; throws `ParleyError`. `headers` are asked for with each request. */
export function createClient({
  baseUrl,
  headers,
}: {
  baseUrl: string;
  headers: () => Record<string, string>;
}) {
  const send = async (method: string, path: string, { params = {}, body, signal }: Options = {}) => {
    const url = new URL(fill(path, params.path ?? {}), baseUrl);
    for (const [name, value] of Object.entries(params.query ?? {}))
      for (const one of Array.isArray(value) ? value : [value])
        if (one !== undefined && one !== null) url.searchParams.append(name, String(one));
    const isFile = body instanceof Blob;
    const response = await fetch(url, {
      method,
      signal,
      headers: {
        ...headers(),
        ...(body !== undefined && {
          'content-type': isFile ? body.type || 'application/octet-stream' : 'application/json',
        }),
      },
      body: body === undefined ? undefined : isFile ? body : JSON.stringify(body),
    }).catch((error: unknown) => {
      if (!signal?.aborted) watch.lost();
      throw signal?.aborted ? error : new ParleyError(0, 'no_answer', String(error));
    });
    watch.answered(response);
    if (!response.ok) throw await refusal(response);
    return response;
  };
  const json =
    (method: string) =>
    async <Answer>(path: string, options?: Options): Promise<Answer> => {
      const response = await send(method, path, options);
      return (response.status === 204 ? undefined : await response.json()) as Answer;
    };
  return {
    GET: json('GET'),
    POST: json('POST'),
    PUT: json('PUT'),
    PATCH: json('PATCH'),
    DELETE: json('DELETE'),
    file: (path: string, options?: Options) => send('GET', path, options).then((response) => response.blob()),
  };
}

const fill = (path: string, values: Record<string, string>): string =>
  root.api +
  path.slice(1).replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name]!));

async function refusal(response: Response): Promise<ParleyError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<ParleyError> & { request_id?: string };
  return new ParleyError(
    response.status,
    problem.code ?? 'unexpected_answer',
    problem.detail ?? response.statusText,
    problem.errors,
    problem.hint,
    problem.request_id ?? response.headers.get('x-request-id'),
  );
}
