import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { environment } from './environment.js';
import { givenEnvironment } from './given-environment.js';

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

/** Begins a command of the compiled product with nothing of the tests' settings in its environment but `env`. */
export function startCli(args: string[], { env = {}, uid }: CliOptions = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, ['dist/bin/cli.js', ...args], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...environment(), ...givenEnvironment(env['PARLEY_DATA_DIR'], env), ...env },
    ...(uid !== undefined && { uid, gid: uid }),
  });
}

/** Runs a command to its end. */
export function cli(args: string[], options: CliOptions = {}): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = startCli(args, options);
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(options.stdin);
  });
}
