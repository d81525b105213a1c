import type { FastifyInstance } from 'fastify';
import { readAddresses } from '#config/networks.js';
import { httpAdapter } from './server.js';

/** The address that counts for a request from `remoteAddress` with this X-Forwarded-For. */
async function addressOf(trusted: string, remoteAddress: string, forwarded: string): Promise<unknown> {
  const trustedProxies = trusted === '' ? [] : readAddresses(trusted)!;
  const server: FastifyInstance = httpAdapter(undefined, { corsOrigins: [], trustedProxies }).getInstance();
  server.get('/', (request) => ({ ip: request.ip }));
  const headers = { 'x-forwarded-for': forwarded };
  const { ip } = (await server.inject({ url: '/', remoteAddress, headers })).json<{ ip: string }>();
  await server.close();
  return ip;
}

describe('X-Forwarded-For', () => {
  it.each([
    ['no proxy', '', '10.0.0.7', '203.0.113.5', '10.0.0.7'],
    ['another address', '10.0.0.8,10.1.0.0/16', '10.0.0.7', '203.0.113.5', '10.0.0.7'],
    ['the proxy', '10.0.0.7', '10.0.0.7', '203.0.113.5', '203.0.113.5'],
    ["the proxy's network", 'fd00::/8, 10.0.0.0/24', '::ffff:10.0.0.7', '203.0.113.5', '203.0.113.5'],
    ['the last proxy of two', '10.0.0.7', '10.0.0.7', '203.0.113.5, 192.0.2.1', '192.0.2.1'],
    ['both proxies', '10.0.0.7,192.0.2.1', '10.0.0.7', '203.0.113.5, 192.0.2.1', '203.0.113.5'],
    [
      'a proxy that passes on what a client made up',
      '10.0.0.7',
      '10.0.0.7',
      '10.0.0.7, x, 203.0.113.5',
      '203.0.113.5',
    ],
    ['IPv6', 'fd00::7', 'fd00::7', '2001:db8::5', '2001:db8::5'],
  ])('counts from those that are trusted: %s', async (_, trusted, remote, forwarded, expected) => {
    expect(await addressOf(trusted, remote, forwarded)).toBe(expected);
  });
});
