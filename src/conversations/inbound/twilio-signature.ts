import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether Twilio signed these parameters for this URL: HMAC-SHA1 under the account's auth token over the URL and the
 * parameters in the order of their names, each name followed by its values (Twilio, "Webhooks security").
 */
export function isSignedByTwilio(
  signature: unknown,
  authToken: string,
  url: string,
  parameters: [name: string, value: string][],
): boolean {
  if (typeof signature !== 'string') return false;
  const given = Buffer.from(signature);
  const signed = withAndWithoutPort(url).map((one) => sign(authToken, one + canonical(parameters)));
  return signed.some((own) => own.length === given.length && timingSafeEqual(own, given));
}

const sign = (authToken: string, text: string): Buffer =>
  Buffer.from(createHmac('sha1', authToken).update(text, 'utf8').digest('base64'));

function canonical(parameters: [string, string][]): string {
  const names = [...new Set(parameters.map(([name]) => name))].sort();
  const valuesOf = (name: string) => parameters.filter(([one]) => one === name).map(([, value]) => value);
  return names.flatMap((name) => [...new Set(valuesOf(name))].sort().map((value) => name + value)).join('');
}

/** Twilio signs a URL sometimes with the standard port of its scheme, sometimes without. */
function withAndWithoutPort(url: string): string[] {
  const [origin = '', scheme, host, port] = /^(https?):\/\/([^/:]+|\[[^\]]*\])(:\d+)?/.exec(url) ?? [];
  if (origin === '') return [url];
  const rest = url.slice(origin.length);
  const standard = scheme === 'https' ? ':443' : ':80';
  return [...new Set([url, `${scheme}://${host}${rest}`, `${scheme}://${host}${port ?? standard}${rest}`])];
}
