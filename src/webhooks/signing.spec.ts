import { Webhook } from 'standardwebhooks';
import { newSecret, rotated, signedHeaders } from './signing.js';

const BODY = '{"name":"Grâce"}';
const at = () => new Date().toISOString();
const later = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

describe('a signature', () => {
  it('is what the specification makes of its example', () => {
    // https://github.com/standard-webhooks/standard-webhooks, tests of the reference libraries.
    const secrets = { current: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', previous: [] };
    const time = new Date(1_614_265_330_000).toISOString();
    expect(signedHeaders(secrets, 'msg_p5jXN8AQM9LWM0D4loKWxJek', time, '{"test": 2432232314}')).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is there for each secret that is valid, after any number of rotations', () => {
    const [first, second, third] = [newSecret(), newSecret(), newSecret()];
    const once = rotated({ current: first, previous: [] }, second, at(), later(60));
    const twice = rotated(once, third, at(), later(60));
    const headers = signedHeaders(twice, 'event_1', at(), BODY);
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(3);
    for (const secret of [first, second, third])
      expect(new Webhook(secret).verify(BODY, headers)).toEqual({ name: 'Grâce' });
    expect(() => new Webhook(newSecret()).verify(BODY, headers)).toThrow();
  });

  it('is not there for a secret whose overlap is over', () => {
    const [first, second, third] = [newSecret(), newSecret(), newSecret()];
    const once = rotated({ current: first, previous: [] }, second, at(), later(-1));
    expect(signedHeaders(once, 'event_1', at(), BODY)['webhook-signature']!.split(' ')).toHaveLength(1);
    expect(rotated(once, third, at(), later(60)).previous.map(({ secret }) => secret)).toEqual([second]);
  });
});

describe('a secret', () => {
  it('has 256 bits, in the form of the specification', () => {
    expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSecret()).not.toBe(newSecret());
  });
});
