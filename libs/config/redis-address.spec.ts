import { redisAddress } from './redis-address.js';

const BARE = { username: undefined, password: undefined, isTls: false };

describe('an address of Redis', () => {
  it.each([
    ['redis://:secret@db:6380/2', { kind: 'server', url: 'redis://:secret@db:6380/2', shown: 'db:6380' }],
    ['rediss://db', { kind: 'server', url: 'rediss://db', shown: 'db' }],
    [
      'redis+sentinel://a:26379,b:26380/primary',
      {
        kind: 'sentinel',
        name: 'primary',
        db: 0,
        sentinelPassword: undefined,
        hosts: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 26380 },
        ],
        shown: 'a:26379,b:26380',
        ...BARE,
      },
    ],
    [
      'rediss+sentinel://ada:p%40ss:word@a,[::1]:7/primary/3?sentinel_password=hush',
      {
        kind: 'sentinel',
        name: 'primary',
        db: 3,
        sentinelPassword: 'hush',
        hosts: [
          { host: 'a', port: 26379 },
          { host: '::1', port: 7 },
        ],
        shown: 'a,[::1]:7',
        username: 'ada',
        password: 'p@ss:word',
        isTls: true,
      },
    ],
    [
      'redis+cluster://:secret@a:7000,b/',
      {
        kind: 'cluster',
        hosts: [
          { host: 'a', port: 7000 },
          { host: 'b', port: 6379 },
        ],
        shown: 'a:7000,b',
        ...BARE,
        password: 'secret',
      },
    ],
  ])('is read from %s', (text, address) => expect(redisAddress(text)).toEqual(address));

  it.each([
    '',
    'localhost:6379',
    'http://localhost',
    'redis:/localhost',
    'redis+sentinel://a:26379',
    'redis+sentinel://a:26379/',
    'redis+sentinel://a:26379/primary/x',
    'redis+sentinel://a:26379/primary/0/1',
    'redis+sentinel://a:x/primary',
    'redis+sentinel://a:99999/primary',
    'redis+sentinel://a,,b/primary',
    'redis+sentinel:///primary',
    'redis+sentinel://%zz:x@a/primary',
    'redis+cluster://',
    'redis+cluster://a:7000,/',
    'redis+cluster://a:7000/0',
    'redis+ring://a:7000',
  ])('is not read from %j', (text) => expect(redisAddress(text)).toBeUndefined());
});
