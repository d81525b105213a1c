import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface CliRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  env?: Record<string, string | undefined>;
  stdin?: string;
  uid?: number;
}

/** Runs the command line of the compiled product with nothing in its environment but `env`. */
export function cli(args: string[], { env = {}, stdin, uid }: CliOptions = {}): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['dist/src/cli.js', ...args], {
      cwd: join(import.meta.dirname, '../../..'),
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
      ...(uid !== undefined && { uid, gid: uid }),
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(stdin);
  });
}
