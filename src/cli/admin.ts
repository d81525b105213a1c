import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { ProblemResponse } from '#http/problems/problem.dto.js';
import { printJson, readJson, withApi } from './with-service.js';
import { documentOfDefaults } from '../app/openapi/application-document.js';

const ADMIN = '/admin/v1/';

/** `admin routes|request`: all that operators can do over HTTP, even where `/admin` is off or no server runs. */
export function adminCommands(program: Command): void {
  const admin = program.command('admin').description('all of /admin/v1, without a server or its key');

  admin
    .command('routes')
    .description('list its routes')
    .action(async () => console.log(await routes()));

  admin
    .command('request <method> <path>')
    .description('carry a request out, such as: GET organizations, or GET deliveries?status=failed')
    // A file and no options: a password on the command line is seen by every user of the machine.
    .option('--body <file>', 'the JSON to send; - reads it from stdin')
    .action(async (method: string, path: string, { body }: { body?: string }) => {
      const below = path.replace(/^\/?(admin\/v1\/)?/, '');
      // The rebuild would end with this command.
      if (/^projections\/.+\/rebuild/.test(below)) throw new Error('Use the command rebuild <name>.');
      await request(method.toUpperCase(), below, body === undefined ? undefined : readJson('--body', body));
    });
}

async function request(method: string, path: string, body: unknown): Promise<void> {
  const adminKey = randomBytes(20).toString('hex');
  await withApi(adminKey, async (url) => {
    const answer = await fetch(`${url}${ADMIN}${path}`, {
      method,
      headers: {
        'x-admin-key': adminKey,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    // HEAD has none.
    const content = text === '' ? null : (JSON.parse(text) as unknown);
    if (!answer.ok)
      throw new Error(`${answer.status} ${(content as ProblemResponse | null)?.detail ?? answer.statusText}`);
    if (content !== null) printJson(content);
  });
}

/** A line for each: method, path and what it is for. */
async function routes(): Promise<string> {
  const { paths } = await documentOfDefaults();
  return Object.entries(paths)
    .filter(([path]) => path.startsWith(ADMIN))
    .flatMap(([path, operations]) =>
      Object.entries(operations as Record<string, { summary: string }>).map(
        ([method, { summary }]) =>
          `${method.toUpperCase().padEnd(6)} ${path.slice(ADMIN.length)}\n         ${summary}`,
      ),
    )
    .join('\n');
}
