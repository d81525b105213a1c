import { ParleyError } from './parley-error.js';

/** How a request is sent, and sent again. */
export interface Sending {
  fetch: (request: Request) => Promise<Response>;
  /** Ends it: it rejects with the reason of the signal. */
  signal: AbortSignal | undefined;
  /** How often to try again. */
  retries: number;
  /** Seconds until one try counts as lost. */
  timeout: number;
  /** Seconds; where the service asks for a longer wait, the call ends. */
  longestWait: number;
  /** Whether a success is given with its body still to come. */
  asStream: boolean;
}

/** An answer, or why there is none. */
type Outcome = { response: Response } | { error: unknown };

/** By HTTP (RFC 9110, 9.2.2): carried out twice they do what they do once. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
/** Said by whoever does not know whether the request was carried out. */
const UNSURE = new Set([502, 503, 504]);
/** Of 409: those that ask to repeat the same request. */
const REPEAT = new Set(['idempotency_in_progress', 'version_conflict']);

const FIRST_WAIT_S = 0.5;
const LONGEST_BACKOFF_S = 30;

/**
 * Sends a request until an answer stands, and gives it with its body read, unless that is a stream. Again is sent what was refused before it
 * was carried out (429), and what does no harm when it is carried out twice: by its method, or by its `Idempotency-Key`.
 * Throws the reason of the signal when that aborts, and `unreachable` when no answer came to the last try.
 */
export async function send(request: Request, sending: Sending): Promise<Response> {
  let isUnsure = false;
  for (let attempt = 0; ; attempt++) {
    const outcome = await tryOnce(request, sending);
    const wait = waitAfter(outcome, attempt);
    if (attempt >= sending.retries || wait > sending.longestWait || !(await mayRepeat(request, outcome))) {
      if ('error' in outcome) throw unreachable(outcome.error);
      // An earlier try has deleted it, and its answer was lost.
      const isDeleted = isUnsure && request.method === 'DELETE' && (await isNoLonger(outcome.response));
      return isDeleted ? new Response(null, { status: 204 }) : outcome.response;
    }
    isUnsure ||= 'error' in outcome || UNSURE.has(outcome.response.status);
    await pause(wait, sending.signal);
  }
}

/** Whether it may and should be sent again. */
async function mayRepeat({ method, headers }: Request, outcome: Outcome): Promise<boolean> {
  if ('response' in outcome && outcome.response.status === 429) return true;
  // With If-Match, a repeat of what was carried out would be refused.
  const isSafe = IDEMPOTENT.has(method) && !headers.has('if-match');
  if (!isSafe && !headers.has('idempotency-key')) return false;
  if ('error' in outcome || UNSURE.has(outcome.response.status)) return true;
  if (outcome.response.status !== 409) return false;
  const { code } = await problemOf(outcome.response);
  return REPEAT.has(code ?? '');
}

/** Whether there is no such record. One that has become another, such as a draft that was sent, answers 404, too. */
async function isNoLonger(response: Response): Promise<boolean> {
  if (response.status !== 404) return false;
  const { code, hint } = await problemOf(response);
  return typeof code === 'string' && code.endsWith('_not_found') && hint === undefined;
}

const problemOf = (response: Response): Promise<{ code?: string; hint?: object }> =>
  response
    .clone()
    .json()
    .then((body: object | null) => body ?? {})
    .catch(() => ({}));

/** The answer with its body, so that a connection that breaks within it is a lost try, too. */
async function tryOnce(request: Request, { fetch, signal, timeout, asStream }: Sending): Promise<Outcome> {
  signal?.throwIfAborted();
  const ended = new AbortController();
  const abort = () => ended.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  const timer = setTimeout(
    () => ended.abort(new DOMException(`No answer in ${timeout} seconds`, 'TimeoutError')),
    timeout * 1_000,
  );
  try {
    const response = await fetch(new Request(request.clone(), { signal: ended.signal }));
    if (asStream && response.ok) return { response };
    const { status, statusText, headers } = response;
    const body = await response.arrayBuffer();
    return { response: new Response(hasBody(status) ? body : null, { status, statusText, headers }) };
  } catch (error) {
    signal?.throwIfAborted();
    return { error };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

const hasBody = (status: number): boolean => status !== 204 && status !== 205 && status !== 304;

/** Seconds to wait before the next try: as the answer asks, else longer each time. */
function waitAfter(outcome: Outcome, attempt: number): number {
  const asked = 'response' in outcome ? retryAfter(outcome.response.headers) : undefined;
  return asked ?? backoff(attempt);
}

/** Seconds: twice as long each time, by up to a half shorter at random. */
export function backoff(attempt: number): number {
  const most = Math.min(LONGEST_BACKOFF_S, FIRST_WAIT_S * 2 ** attempt);
  return most * (1 - Math.random() / 2);
}

/** The seconds that `Retry-After` asks for, given as such or as an HTTP date (RFC 9110, 10.2.3). */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  // By the clock of who has written it, where that is told.
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  return Math.max(0, (until - now) / 1_000);
}

/** Throws the reason of the signal as soon as that aborts. */
export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1_000);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

const unreachable = (cause: unknown): ParleyError =>
  new ParleyError(
    0,
    {
      code: 'unreachable',
      detail: `No answer came: ${cause instanceof Error ? cause.message : String(cause)}`,
    },
    undefined,
    { cause },
  );
