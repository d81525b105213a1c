import { chmodSync, mkdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { LARGEST_MAIL } from '#http/input/bodies.js';

/** A local SMTP server that keeps received mails, so that in the demo one can see a reply leave. */
export interface Inbox {
  port: number;
  close(): Promise<void>;
}

/** Keeps each received mail as an .eml file in `directory`, for its owner alone. `port` 0 takes a free one. Rejects when the port is taken. */
export async function startInbox(directory: string, port: number): Promise<Inbox> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // It may be there from when others could read it.
  chmodSync(directory, 0o700);
  let received = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    size: LARGEST_MAIL,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${++received}.eml`;
        keep(join(directory, name), Buffer.concat(chunks)).then(() => done(), done);
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.server.address() as { port: number }).port,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Renames the file when it is whole, so that nobody sees half of it. */
async function keep(path: string, mail: Buffer): Promise<void> {
  await writeFile(`${path}.part`, mail, { mode: 0o600 });
  await rename(`${path}.part`, path);
}
