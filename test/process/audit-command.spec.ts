import { type Json, newWorkspace, ok, unique, type Workspace } from '../support/clients/client.js';
import { cli, type CliRun } from '../support/server/cli.js';

const audit = (...args: string[]): Promise<CliRun> =>
  cli(['audit', ...args], { env: { PARLEY_DATA_DIR: process.env['PARLEY_TEST_DATA_DIR'] } });

async function linesOf(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await audit(...args);
  if (code !== 0) throw new Error(stderr);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('npm run parley -- audit', () => {
  let workspace: Workspace;
  let sale: Json;
  let request: string;

  beforeAll(async () => {
    workspace = await newWorkspace();
    request = unique('request');
    const { api } = workspace;
    const { data: stages } = await ok(api.get('sale-statuses'));
    const { company_id } = await ok(api.post('companies', { name: 'Navy' }));
    const made = { status_id: stages[0].status_id, company_id };
    sale = await ok(api.with({ 'x-request-id': request }).post('sales', made));
    await ok(api.patch(`sales/${sale.sale_id}`, { status_id: stages[1].status_id }));
    await ok(api.with({ 'x-request-id': request }).post('tasks', { title: 'Call', sale_id: sale.sale_id }));
  });

  it('tells what became of a sale, the oldest change first', async () => {
    const lines = await linesOf('--sale', sale.sale_id, '--since', '7d');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      new RegExp(
        `^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\dZ {2}Ada Byron \\(with ${workspace.keyId}\\) made sale ${sale.sale_id}: .*current_status "Qualified"`,
      ),
    );
    expect(lines[1]).toMatch(/ changed sale .*current_status "Qualified" → "Quoted"/);
    expect(await linesOf('--sale', sale.sale_id, '--until', '1h')).toEqual([]);
    expect(await linesOf('--sale', sale.sale_id, '--field', 'current_status', '--action', 'update')).toEqual([
      lines[1],
    ]);
  });

  it('is narrowed as the list is', async () => {
    const { organizationId, keyId, agentId } = workspace;
    const within = (...args: string[]) => linesOf('--organization', organizationId, ...args);
    const kinds = (lines: string[]) => lines.map((line) => / (made|changed) ([a-z ]+) \S+_/.exec(line)?.[2]);
    expect(kinds(await within('--request', request))).toEqual(['sale', 'task']);
    expect(kinds(await within('--key', keyId))).toEqual(['company', 'sale', 'sale', 'task']);
    expect(kinds(await within('--agent', agentId, '--type', 'task,company'))).toEqual(['company', 'task']);
    expect(kinds(await within('--actor-type', 'operator'))).toEqual(['pipeline', 'agent', 'api key']);
    const { stdout, stderr } = await audit('--organization', organizationId, '--limit', '2');
    expect(kinds(stdout.split('\n')).slice(0, 2)).toEqual(['sale', 'task']);
    expect(stderr).toContain('--limit');
  });

  it('says so where there is nothing, and what is wrong with an option', async () => {
    const { code, stdout, stderr } = await audit('--task', 'task_nowhere');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('no such change');
    for (const [args, reason] of [
      [['--since', 'yesterday'], 'start_date'],
      [['--actor-type', 'robot'], 'actor_type'],
      [['--limit', '0'], '--limit'],
      [['--sale', 'a', '--task', 'b'], '--task'],
    ] as const) {
      const refused = await audit(...args);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(reason)]);
    }
  });
});
