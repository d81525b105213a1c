/** What an answer other than success says (RFC 9457). */
interface Problem {
  code: string;
  detail: string;
  errors: { field: string; detail: string }[];
  hint?: { method: string; route: string };
  request_id?: string;
}

/** The code where an answer was not of the API, such as that of a proxy. */
const UNKNOWN = 'unknown';

/** A call that did not succeed. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** The stable word for what is wrong, such as `validation_failed`; `unreachable` when no answer came, `no_json` when it cannot be read. */
  readonly code: string;
  /** One sentence to act on. */
  readonly detail: string;
  /** Every field that is wrong. */
  readonly errors: { field: string; detail: string }[];
  /** The route to use instead. */
  readonly hint: { method: string; route: string } | undefined;
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined;

  /**
   * `status` is that of the answer, 0 when none came; `retryAfter` the seconds after which the service asks to try again,
   * where it says so.
   */
  constructor(
    readonly status: number,
    body: unknown,
    readonly retryAfter?: number,
    options?: ErrorOptions,
  ) {
    const { code, detail, errors, hint, request_id } = problemIn(body);
    super(`${status === 0 ? '' : `${status} `}${code}: ${detail}`, options);
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.hint = hint;
    this.requestId = request_id;
  }
}

function problemIn(body: unknown): Problem {
  if (typeof body !== 'object' || body === null) return { code: UNKNOWN, detail: textOf(body), errors: [] };
  return { code: UNKNOWN, detail: JSON.stringify(body), errors: [], ...body };
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : '');
