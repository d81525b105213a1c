import { readNetworks } from '#config/networks.js';
import { Addresses } from './addresses.js';

const strict = new Addresses([]);
const onPremise = new Addresses(readNetworks('127.0.0.0/8,10.1.0.0/16,fd00:1::/32')!);

describe('an address', () => {
  it.each(['93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])(
    'of the public internet is permitted over https alone: %s',
    (address) => {
      expect(strict.permits(address, 'https:')).toBe(true);
      expect(strict.permits(address, 'http:')).toBe(false);
    },
  );

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['loopback', '::1'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['unspecified', '::'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['carrier-grade NAT, metadata', '100.100.100.200'],
    ['link-local, metadata', '169.254.169.254'],
    ['metadata', '168.63.129.16'],
    ['metadata', '192.0.0.192'],
    ['metadata', 'fd00:ec2::254'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['benchmarking', '198.18.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '203.0.113.5'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['unique local', 'fc00::1'],
    ['IPv4-mapped', '::ffff:10.0.0.1'],
    ['IPv4-mapped', '::ffff:169.254.169.254'],
    ['IPv4-mapped', '::ffff:93.184.215.14'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-translated', '::ffff:0:10.0.0.1'],
    ['NAT64', '64:ff9b::a00:1'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['6to4', '2002:a00:1::'],
    ['6to4', '2002:7f00:1::1'],
    ['6to4 relay', '192.88.99.1'],
    ['Teredo', '2001:0:a00:1::1'],
    ['ORCHID', '2001:10::1'],
    ['segment routing', '5f00::1'],
    ['discard', '100::1'],
  ])('that is %s is refused: %s', (_, address) => {
    expect(strict.permits(address, 'https:')).toBe(false);
    expect(strict.permits(address, 'http:')).toBe(false);
  });

  it('in an allowed network is permitted over http and https', () => {
    for (const address of ['127.0.0.1', '10.1.2.3', 'fd00:1::5'])
      for (const protocol of ['http:', 'https:'])
        expect([address, onPremise.permits(address, protocol)]).toEqual([address, true]);
    for (const address of ['10.2.0.1', '::1', 'fd00:2::1', '::ffff:127.0.0.1'])
      expect([address, onPremise.permits(address, 'https:')]).toEqual([address, false]);
  });
});

describe('a URL', () => {
  it.each([
    'https://receiver.example.com/hook?of=parley',
    'https://93.184.215.14:8443/',
    'https://[2606:4700:4700::1111]/',
    'https://xn--bcher-kva.example/',
  ])('that leads to the public internet by https is taken: %s', (url) =>
    expect(strict.refusalOf(url)).toBeNull(),
  );

  it.each([
    'receiver.example.com',
    '//receiver.example.com',
    'ftp://receiver.example.com',
    'file:///etc/passwd',
    'https://',
    'http://receiver.example.com/',
    'http://93.184.215.14/',
    'https://user@receiver.example.com/',
    'https://:secret@receiver.example.com/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://2130706433/',
    'https://017700000001/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://１２７.0.0.1/',
    'https://0/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/',
  ])('that does not is refused: %s', (url) => expect(strict.refusalOf(url)).toMatch(/\S/));

  it.each(['http://localhost:9000/', 'http://127.0.0.1/', 'https://10.0.0.7/', 'http://[::1]:9000/'])(
    'into a network of our own is refused with the setting that allows it: %s',
    (url) => expect(strict.refusalOf(url)).toContain('WEBHOOK_ALLOWED_NETWORKS'),
  );

  it('may name hosts by http where networks are allowed, which are looked at when they are connected to', () => {
    for (const url of ['http://receiver.internal/', 'http://127.0.0.1:8080/', 'http://localhost/'])
      expect(onPremise.refusalOf(url)).toBeNull();
    for (const url of ['http://93.184.215.14/', 'http://10.2.0.1/', 'https://10.2.0.1/'])
      expect([url, onPremise.refusalOf(url)]).toEqual([url, expect.stringMatching(/\S/)]);
  });
});
