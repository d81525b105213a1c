import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookError } from './client.js';

const SECRET = `whsec_${Buffer.from('a secret of the tests').toString('base64')}`;
const BODY = '{"type":"ContactCreated","data":{"name":"Zoë"}}';

/** The headers with which the specification's own library signs. */
function signed({ secret = SECRET, body = BODY, at = new Date() } = {}): Record<string, string> {
  return {
    'webhook-id': 'event_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('event_1', at, body),
  };
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);

describe('a webhook’s request', () => {
  it.each<[string, string, Parameters<typeof verifyWebhook>[1], string | Uint8Array]>([
    ['with the headers of Node', SECRET, signed(), BODY],
    ['with the headers of fetch', SECRET, new Headers(signed()), BODY],
    [
      'with headers in any case',
      SECRET,
      Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value])),
      BODY,
    ],
    ['with its body as bytes', SECRET, signed(), new TextEncoder().encode(BODY)],
    ['with a secret without its prefix', SECRET.slice('whsec_'.length), signed(), BODY],
    ['from almost five minutes ago', SECRET, signed({ at: ago(290) }), BODY],
  ])('is taken %s', async (_, secret, headers, body) => {
    expect(await verifyWebhook(secret, headers, body)).toEqual(JSON.parse(BODY));
  });

  it('is taken by one of several signatures, as after a change of the secret', async () => {
    const other = signed({ secret: `whsec_${Buffer.from('another').toString('base64')}` });
    const both = `v1a,x ${other['webhook-signature']} ${signed()['webhook-signature']}`;
    await verifyWebhook(SECRET, { ...signed(), 'webhook-signature': both }, BODY);
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['whose body was changed', signed(), BODY.replace('Zoë', 'Eve')],
    ['whose id was changed', { ...signed(), 'webhook-id': 'event_2' }, BODY],
    [
      'signed with another secret',
      signed({ secret: `whsec_${Buffer.from('another').toString('base64')}` }),
      BODY,
    ],
    ['older than five minutes', signed({ at: ago(310) }), BODY],
    ['from five minutes ahead', signed({ at: ago(-310) }), BODY],
    ['whose time is none', { ...signed(), 'webhook-timestamp': 'now' }, BODY],
    ['without a signature', { ...signed(), 'webhook-signature': undefined }, BODY],
    [
      'with a signature of another version',
      { ...signed(), 'webhook-signature': signed()['webhook-signature']!.replace('v1', 'v2') },
      BODY,
    ],
    ['with a signature that is no base64', { ...signed(), 'webhook-signature': 'v1,%' }, BODY],
    ['without any headers', {}, BODY],
  ])('is refused %s', async (_, headers, body) => {
    await expect(verifyWebhook(SECRET, headers, body)).rejects.toThrow(WebhookError);
  });

  it.each(['', 'whsec_', 'whsec_%'])('is refused with %p, which is no secret', async (secret) => {
    await expect(verifyWebhook(secret, signed(), BODY)).rejects.toThrow(WebhookError);
  });
});
