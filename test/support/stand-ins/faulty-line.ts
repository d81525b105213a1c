import { connect, createServer, type Socket } from 'node:net';

/** A line to a server on this machine that breaks when it is told to. */
export interface FaultyLine {
  url: string;
  /** Breaks every connection that is open. */
  cut(): void;
  /** While true, new connections break at once. */
  isDown: boolean;
  /** While true, nothing gets through, and nobody is told. */
  isSilent: boolean;
  /** Breaks the next connection on which so many bytes of answers have come back; those get through. */
  cutAfter(bytes: number): void;
  /** How often it broke. */
  cuts: number;
  close(): Promise<void>;
}

export async function startFaultyLine(to: string): Promise<FaultyLine> {
  const { hostname, port } = new URL(to);
  const open = new Set<Socket>();
  let left = Infinity;
  let isSilent = false;
  const line: FaultyLine = {
    url: '',
    cuts: 0,
    isDown: false,
    get isSilent() {
      return isSilent;
    },
    set isSilent(silent) {
      isSilent = silent;
      for (const socket of open)
        if (silent) socket.pause();
        else socket.resume();
    },
    cut() {
      line.cuts++;
      for (const socket of open) socket.destroy();
    },
    cutAfter: (bytes) => (left = bytes),
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  const server = createServer((near) => {
    if (line.isDown) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
    near.on('data', (chunk: Buffer) => far.write(chunk));
    far.on('data', (chunk: Buffer) => {
      if (chunk.length <= left) {
        left -= chunk.length;
        near.write(chunk);
        return;
      }
      line.cuts++;
      near.write(chunk.subarray(0, left), () => near.destroy());
      left = Infinity;
    });
    if (isSilent) near.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  line.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return line;
}
