import { type AddressInfo, connect, createServer } from 'node:net';

export interface StartingDatabase {
  /** The given URL with the address of this server. */
  url: string;
  /** How often it has refused. */
  refused(): number;
  close(): void;
}

/** Refuses as a PostgreSQL server that is starting does, `refusals` times; then it is the server at `url`. */
export async function startingDatabase(url: string, refusals = Infinity): Promise<StartingDatabase> {
  const refusal = 'SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0';
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + refusal.length);
  const { hostname, port } = new URL(url);
  let refused = 0;
  const server = createServer((near) => {
    near.on('error', () => {});
    if (refused++ < refusals)
      return void near.once('data', () => near.end(`E${length.toString('latin1')}${refusal}`));
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.unref().listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { href } = Object.assign(new URL(url), { host });
  return { url: href, refused: () => refused, close: () => server.close() };
}
