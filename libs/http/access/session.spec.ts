import type { FastifyReply, FastifyRequest } from 'fastify';
import { PublicUrl } from '../public-url.js';
import { SessionCookie } from './session.js';

const HTTP = 'http://parley.example';
const HTTPS = 'https://parley.example';

const named: string[] = [];
const REPLY = { header: (_: string, name: string) => named.push(name) } as unknown as FastifyReply;

/** The token of a request that came by `protocol`; the status of its refusal. */
function tokenOf(
  publicUrl: string,
  protocol: string,
  cookie: string,
  headers: object = { 'x-parley-console': '1' },
) {
  const request = { protocol, headers: { cookie, ...headers } } as unknown as FastifyRequest;
  try {
    return new SessionCookie(new PublicUrl(publicUrl)).tokenOf(request, REPLY);
  } catch (refusal) {
    return (refusal as { status: number }).status;
  }
}

it.each([
  ['by http it is the one without a prefix', HTTP, 'http', 'parley_session=a', 'a'],
  ['it is found among others', HTTP, 'http', 'x=1; parley_session=a; y="b=c"', 'a'],
  ['by https it is the one with the prefix', HTTPS, 'http', '__Host-parley_session=a', 'a'],
  ['by a trusted proxy on https, too', HTTP, 'https', '__Host-parley_session=a', 'a'],
  [
    'by https one without a prefix is none: a neighbour may have set it',
    HTTPS,
    'http',
    'parley_session=a',
    undefined,
  ],
  ['by https one in another case is none', HTTPS, 'http', '__host-parley_session=a', undefined],
  ['the same twice is one', HTTP, 'http', 'parley_session=a; parley_session=a', 'a'],
  ['two different ones are refused', HTTP, 'http', 'parley_session=a; parley_session=b', 401],
  [
    'two different ones are refused, whatever their names',
    HTTPS,
    'http',
    '__Host-parley_session=a; parley_session=b',
    401,
  ],
])('of the cookies of sessions, %s', (_, publicUrl, protocol, cookie, token) =>
  expect(tokenOf(publicUrl, protocol, cookie)).toBe(token),
);

it('a cookie without the header of the console is refused', () =>
  expect(tokenOf(HTTP, 'http', 'parley_session=a', { 'x-parley-console': '' })).toBe(403));

it('a cookie of another session than the one that the page names is refused', () => {
  const page = (name: string) => ({ 'x-parley-console': '1', 'x-parley-session': name });
  tokenOf(HTTP, 'http', 'parley_session=a');
  const name = named.at(-1)!;
  expect(name).toMatch(/^[\w-]{22}$/);
  expect(tokenOf(HTTP, 'http', 'parley_session=a', page(name))).toBe('a');
  expect(tokenOf(HTTP, 'http', 'parley_session=b', page(name))).toBe(401);
  expect(tokenOf(HTTP, 'http', 'parley_session=a', page(''))).toBe(401);
});
