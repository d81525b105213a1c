import { lookup as dnsLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Addresses } from './addresses.js';
import { readRetryAfter, type Reply } from './retries.js';

/** Resolves host names: `dns.lookup`, except in tests. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The answer's body does not matter; this many bytes are read so that the connection can be kept. */
const LONGEST_BODY = 64 * 1024;
/** And for so long: the next event does not wait for it, so that each one that trickles would hold a connection more. */
const LONGEST_BODY_MS = 1_000;
const IDLE_MS = 30_000;
/** Errors of Node and OpenSSL for certificates: expired, for another name, or from an unknown authority. */
const NOT_TRUSTED = /CERT|^UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)|^(CRL|INVALID|PATH_LENGTH|HOSTNAME)_/;

/** Sends requests to endpoints that other people named, and only to permitted addresses. */
export class Poster {
  private readonly agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: IDLE_MS }),
    'https:': new https.Agent({ keepAlive: true, timeout: IDLE_MS }),
  };

  constructor(
    private readonly addresses: Addresses,
    private readonly timeoutMs: number,
    private readonly resolve: Resolve = dnsLookup,
  ) {}

  /** Posts the body as JSON; never rejects. Redirects are not followed. */
  async post(url: string, headers: Record<string, string>, body: string): Promise<Reply> {
    const begun = performance.now();
    const { status_code, error, retryAfter } = await this.send(url, headers, body).catch(
      (reason: unknown) => ({
        status_code: null,
        error: this.explain(reason),
        retryAfter: undefined,
      }),
    );
    return {
      status_code,
      error,
      retry_after_seconds: readRetryAfter(retryAfter, new Date()),
      duration_ms: Math.round(performance.now() - begun),
    };
  }

  /** Ends all connections, also those in use. */
  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  private async send(
    url: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<{ status_code: number; error: string | null; retryAfter: string | undefined }> {
    // An address written in the URL is never looked up, so it is checked here; also the settings may have changed.
    const refusal = this.addresses.refusalOf(url);
    if (refusal !== null) throw new Error(`url: ${refusal}`);
    const answer = await this.request(new URL(url), headers, body, AbortSignal.timeout(this.timeoutMs));
    const status_code = answer.statusCode!;
    const taken = status_code >= 200 && status_code < 300;
    const redirected = status_code >= 300 && status_code < 400;
    const error = taken ? null : `answered ${status_code}${redirected ? '; redirects are not followed' : ''}`;
    return { status_code, error, retryAfter: answer.headers['retry-after'] };
  }

  private request(
    url: URL,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const protocol = url.protocol as 'http:' | 'https:';
    return new Promise((resolve, reject) => {
      const request = (protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        agent: this.agents[protocol],
        lookup: this.guardedLookup(protocol),
        signal,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Parley-Webhooks/2.0',
          ...headers,
        },
      });
      let isAnswered = false;
      request.on('response', (response) => {
        isAnswered = true;
        discard(response);
        resolve(response);
      });
      // While nobody listens for this, such an answer ends the request without a word, and the timeout with it.
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(response);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The endpoint was closing a kept connection, which says nothing about the endpoint: try again.
        if (!isAnswered && request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? ''))
          this.request(url, headers, body, signal).then(resolve, reject);
        else reject(error);
      });
      request.end(body);
    });
  }

  /**
   * Resolves as usual and passes on only permitted addresses. The connection is made to these, so a name that resolves
   * differently the next time gains nothing.
   */
  private guardedLookup(protocol: string): LookupFunction {
    return (host, options, callback) =>
      this.resolve(host, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, '', 0);
        const permitted = found.filter(({ address }) => this.addresses.permits(address, protocol));
        const [first] = permitted;
        if (!first) return callback(notPermitted(host, found, protocol), '', 0);
        if (options.all) callback(null, permitted);
        else callback(null, first.address, first.family);
      });
  }

  private explain(reason: unknown): string {
    if ((reason as Error).name === 'TimeoutError' || (reason as Error).name === 'AbortError')
      return `no answer within ${this.timeoutMs / 1_000} s`;
    const [first = reason] = reason instanceof AggregateError ? (reason.errors as unknown[]) : [];
    const { code = '', message } = first as NodeJS.ErrnoException;
    return NOT_TRUSTED.test(code) ? `its certificate is not trusted: ${message}` : message;
  }
}

const notPermitted = (host: string, found: LookupAddress[], protocol: string): Error => {
  const addresses = found.map(({ address }) => address).join(', ') || 'nothing';
  return new Error(
    `url: ${host} leads to ${addresses}, which is not permitted over ${protocol.slice(0, -1)}`,
  );
};

/** Reads and drops the body; cuts off one that is long, or long in coming, with its connection. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  const patience = setTimeout(() => response.destroy(), LONGEST_BODY_MS);
  response.on('close', () => clearTimeout(patience));
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LONGEST_BODY) response.destroy();
  });
}
