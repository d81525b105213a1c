import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { readNetworks } from '#config/networks.js';
import { Addresses } from './addresses.js';
import { Poster, type Resolve } from './poster.js';

const LOCAL = readNetworks('127.0.0.1/32')!;

let server: Server;
let requests: string[];
let answer: RequestListener;
let poster: Poster | undefined;
const sockets = new Set<Socket>();

beforeEach(async () => {
  requests = [];
  sockets.clear();
  answer = (_, response) => response.writeHead(200).end();
  server = createServer((request, response) => {
    requests.push(request.headers.host!);
    request.resume();
    answer(request, response);
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  poster?.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const at = (host: string) => `http://${host}:${(server.address() as AddressInfo).port}/`;
/** A resolver that gives these addresses in turn, the last of them on and on. */
const resolving =
  (...turns: string[][]): Resolve =>
  (_, __, callback) => {
    const addresses = turns.length > 1 ? turns.shift()! : turns[0]!;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
const post = (url: string, resolve?: Resolve, timeoutMs = 5_000) => {
  poster = new Poster(new Addresses(LOCAL), timeoutMs, resolve);
  return poster.post(url, { 'webhook-id': 'event_1' }, '{}');
};

describe('a post', () => {
  it('tells what was answered', async () =>
    expect(await post(at('127.0.0.1'))).toEqual({
      status_code: 200,
      error: null,
      retry_after_seconds: null,
      duration_ms: expect.any(Number),
    }));

  it('goes to an address that the name resolves to and that is permitted', async () => {
    const reply = await post(at('receiver.test'), resolving(['10.0.0.1', '127.0.0.1']));
    expect(reply.status_code).toBe(200);
    expect(requests).toEqual([expect.stringMatching(/^receiver\.test:/)]);
  });

  it.each([['10.0.0.1'], ['169.254.169.254'], ['::ffff:127.0.0.1'], ['::1'], ['93.184.215.14']])(
    'is not made to a name that resolves to %s, and says so',
    async (address) => {
      const { status_code, error } = await post(at('receiver.test'), resolving([address]));
      expect({ status_code, requests }).toEqual({ status_code: null, requests: [] });
      expect(error).toContain(`receiver.test leads to ${address}, which is not permitted`);
    },
  );

  it('asks for the addresses of a name once and connects to what it has checked, so that rebinding gains nothing', async () => {
    let asked = 0;
    const rebinding = resolving(['127.0.0.1'], ['127.0.0.2'], ['10.0.0.1']);
    poster = new Poster(new Addresses(LOCAL), 5_000, (...given) => {
      asked++;
      rebinding(...given);
    });
    const statuses: (number | null)[] = [];
    for (let nr = 0; nr < 3; nr++) {
      statuses.push((await poster.post(at('receiver.test'), {}, '{}')).status_code);
      for (const socket of sockets) socket.destroy();
    }
    expect({ statuses, asked }).toEqual({ statuses: [200, null, null], asked: 3 });
    expect(requests).toHaveLength(1);
  });

  it.each(['https://127.0.0.2/', 'https://[::1]/', 'http://93.184.215.14/'])(
    'is not made to an address in the URL that is not permitted: %s',
    async (url) =>
      expect(await post(url)).toMatchObject({ status_code: null, error: expect.stringMatching(/^url: /) }),
  );

  it('does not follow a redirect', async () => {
    answer = (_, response) => response.writeHead(307, { location: at('127.0.0.1') }).end();
    expect(await post(at('127.0.0.1'))).toMatchObject({
      status_code: 307,
      error: 'answered 307; redirects are not followed',
    });
    expect(requests).toHaveLength(1);
  });

  it('ends when there is no answer in time', async () => {
    answer = () => {};
    expect(await post(at('127.0.0.1'), undefined, 100)).toMatchObject({
      status_code: null,
      error: 'no answer within 0.1 s',
    });
  });

  it('that is answered by another protocol (101) ends with that, and its connection, too', async () => {
    const letGo = new Promise<void>((resolve) => {
      answer = ({ socket }) => {
        socket.on('close', () => resolve());
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      };
    });
    expect(await post(at('127.0.0.1'))).toMatchObject({ status_code: 101, error: 'answered 101' });
    await letGo;
  });

  it('tells of a Retry-After', async () => {
    answer = (_, response) => response.writeHead(429, { 'retry-after': '7' }).end();
    expect(await post(at('127.0.0.1'))).toMatchObject({ status_code: 429, retry_after_seconds: 7 });
  });

  it('does not read an answer that never ends', async () => {
    let closed: (() => void) | undefined;
    const cutOff = new Promise<void>((resolve) => (closed = resolve));
    answer = (_, response) => {
      response.writeHead(200);
      const writing = setInterval(() => response.write(Buffer.alloc(16 * 1024)), 1);
      response.on('close', () => {
        clearInterval(writing);
        closed!();
      });
    };
    expect(await post(at('127.0.0.1'))).toMatchObject({ status_code: 200, error: null });
    await cutOff;
  });

  it('lets go of an answer whose body does not come to an end, long before there would be no answer', async () => {
    const letGo = new Promise<void>((resolve) => {
      answer = (_, response) => response.on('close', resolve).writeHead(200).write('and');
    });
    expect(await post(at('127.0.0.1'), undefined, 3_600_000)).toMatchObject({
      status_code: 200,
      error: null,
    });
    await letGo;
  });

  it('is not made again because the connection breaks after the answer', async () => {
    poster = new Poster(new Addresses(LOCAL), 5_000);
    await poster.post(at('127.0.0.1'), {}, '{}');
    const [connection] = sockets;
    answer = (_, response) => response.writeHead(200).write('and');
    expect(await poster.post(at('127.0.0.1'), {}, '{}')).toMatchObject({ status_code: 200 });
    const closed = once(connection!, 'close');
    connection!.resetAndDestroy();
    await closed;
    answer = (_, response) => response.writeHead(204).end();
    // By then it would have come.
    for (let nr = 0; nr < 5; nr++) await poster.post(at('127.0.0.1'), {}, '{}');
    expect(requests).toHaveLength(7);
  });

  it('uses its connection again, and another where that one was closed meanwhile', async () => {
    poster = new Poster(new Addresses(LOCAL), 5_000);
    for (let nr = 0; nr < 3; nr++) await poster.post(at('127.0.0.1'), {}, '{}');
    const [first] = sockets;
    expect(sockets.size).toBe(1);
    first!.destroy();
    expect(await poster.post(at('127.0.0.1'), {}, '{}')).toMatchObject({ status_code: 200 });
  });
});
