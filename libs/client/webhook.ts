import type { webhooks } from './api.generated.js';

/** An event as it is posted to a webhook. */
export type WebhookEvent = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];

/** A request that no webhook with this secret has sent, or one from another time. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

type HeadersIn = Headers | Record<string, string | readonly string[] | undefined>;

/** Seconds that a request may be older or newer than it is here, as the specification's own libraries have it. */
const TOLERANCE_S = 300;

/**
 * Checks that a request comes from the webhook with this secret (`whsec_…`), by the Standard Webhooks specification, and
 * gives its event. `body` is the body as it came, before anything has parsed it. Throws a `WebhookError` otherwise.
 */
export async function verifyWebhook(
  secret: string,
  headers: HeadersIn,
  body: string | Uint8Array,
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError('A header of the signature is missing');
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_S))
    throw new WebhookError('It was not sent now: webhook-timestamp is more than five minutes off');

  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const key = await keyOf(secret);
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',');
    const bytes = version === 'v1' ? bytesOf(value) : null;
    // Compares in constant time.
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed)))
      return JSON.parse(text) as WebhookEvent;
  }
  throw new WebhookError('No signature fits the body and the secret');
}

function headerOf(headers: HeadersIn, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'object' ? value.join(' ') : value;
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (bytes === null || bytes.length === 0) throw new WebhookError('The secret is not one of a webhook');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Null when it is no base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
