import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { commandAs, type Account } from './account.js';
import { openLog, type Files } from './files.js';
import { NAME } from '#config/product.js';

const STOP_LIMIT_MS = 30_000;

/**
 * Reads the server's pid, then waits for a line, which says that the server has ended, or for the end of input, which is
 * the end of our process, even by kill -9, as nobody else holds the other end of the pipe. Then it stops the server: fast,
 * and after ten seconds at once. It ignores signals that a terminal or service manager sends to all processes.
 */
const WATCHDOG = `
trap '' HUP INT TERM
read -r pid || exit 0
read -r ended && exit 0
kill -INT "$pid"
tenths=0
while kill -0 "$pid"; do
  [ $tenths -lt 100 ] || { kill -QUIT "$pid"; exit 0; }
  tenths=$((tenths + 1))
  sleep 0.1
done`;

export interface Server {
  pid: number | undefined;
  /** Resolves with how it ended. */
  exited: Promise<string>;
  /** Size of the log in bytes when this server began to write. */
  logOffset: number;
  /** Fast shutdown, after 30 seconds immediate shutdown; resolves when the process has ended. */
  stop(): Promise<void>;
}

/** Spawns a server in a session of its own, with a watchdog that stops it when this process ends. */
export function spawnServer(
  account: Account,
  postgres: string,
  files: Files,
  settings: Record<string, string>,
): Server {
  // The watchdog comes first: if we were killed between the two, a server without one would stay behind.
  const watchdog = spawn('sh', ['-c', WATCHDOG, `${NAME}-postgres-watchdog`], {
    ...{ detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' },
    env: { PATH: process.env.PATH },
  });
  // Somebody may end the watchdog.
  watchdog.on('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);

  const { fd, offset } = openLog(files);
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = commandAs(account, postgres, ['-D', files.cluster, ...parameters]);
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', fd, fd] });
  closeSync(fd);
  watchdog.stdin.write(`${child.pid ?? ''}\n`);

  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`it exited with ${signal ?? `code ${code}`}`));
    child.once('error', (error) => resolve(error.message));
  });
  void exited.then(() => watchdog.stdin.end('ended\n'));

  child.unref();
  watchdog.unref();
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref();
  return { pid: child.pid, exited, logOffset: offset, stop: () => stop(child, exited) };
}

async function stop(child: ChildProcess, exited: Promise<string>): Promise<void> {
  // From here on the server must keep our process alive, so that we wait for its end.
  child.ref();
  child.kill('SIGINT');
  const impatience = setTimeout(() => child.kill('SIGQUIT'), STOP_LIMIT_MS);
  await exited;
  clearTimeout(impatience);
}
