import { minify } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { createClient, etagOf, verifyWebhook } from '../../libs/client/client.js';
import { CHROMIUM, hasChromium, launchChromium, newPage } from '../support/clients/browser.js';
import { newWorkspace, ok, sharedUrl, type Workspace } from '../support/clients/client.js';
import { needs } from '../support/needs.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { type FaultyLine, startFaultyLine } from '../support/stand-ins/faulty-line.js';
import { until } from '../support/until.js';
import { newWebhook, startReceiver, type TestReceiver } from '../support/stand-ins/receiver.js';

const ROOT = join(import.meta.dirname, '../..');
const CONTACTS = '/api/v2/organizations/{organization_id}/contacts';
const README = readFileSync(join(ROOT, 'libs/client/README.md'), 'utf8');

const run = promisify(execFile);

/** Each example of the README with the mark before it, if any. */
const BLOCKS = [...README.matchAll(/(<!-- not run: .+ -->\n+)?```ts\n([^]*?)```/g)].map(([, mark, code]) => ({
  isRun: mark === undefined,
  code: code!,
}));

let server: Server;
let dataDir: string;
/** An empty project that has installed the package. */
let project: string;
let installed: string;
/** The files of a site, whose page calls the API from a browser. */
const files = new Map<string, string>();
let site: HttpServer;
let origin: string;

beforeAll(async () => {
  site = createServer(({ url = '' }, response) => {
    const type = url === '/' ? 'text/html' : 'text/javascript';
    response.writeHead(files.has(url) ? 200 : 404, { 'content-type': type }).end(files.get(url));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://localhost:${(site.address() as { port: number }).port}`;

  dataDir = newDataDir();
  const DATABASE_URL = await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!);
  // So few requests a second that some are refused.
  const env = { DATABASE_URL, CORS_ORIGINS: origin, RATE_LIMIT_RPS: '5' };
  server = await startServer({ entry: 'api', dataDir, env });

  project = mkdtempSync(join(tmpdir(), 'parley-client-'));
  installed = await install();
  const imports = { '@parley/client': '/client.js' };
  files.set('/', `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`);
  files.set('/client.js', readFileSync(installed, 'utf8'));
});

/** Packs the client and installs it in the project, where npm has nothing else to take from. Gives the module's place. */
async function install(): Promise<string> {
  const env = { ...process.env, npm_config_cache: join(project, 'cache') };
  await run('npm', ['pack', '--pack-destination', project], { cwd: join(ROOT, 'libs/client'), env });
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(project, 'package.json'), '{"private": true, "type": "module"}');
  const command = ['install', '--offline', '--no-audit', '--no-fund', `./parley-client-${version}.tgz`];
  await run('npm', command, { cwd: project, env });
  return join(project, 'node_modules/@parley/client/dist/client.js');
}

afterAll(async () => {
  site.close();
  await server.stop();
  removeDataDir(dataDir);
  rmSync(project, { recursive: true, force: true });
});

/** The examples that run, each a module of its own that makes its client by the first one. */
function examplesFor({ key, organizationId }: Workspace): string[] {
  const [first, ...others] = BLOCKS.filter(({ isRun }) => isRun).map(({ code }) =>
    code
      .replaceAll('http://localhost:3000', server.url)
      .replaceAll('parley_…', key)
      .replaceAll('org_…', organizationId),
  );
  return others.map((code) => `${first}\n${code}`);
}

/** What they print, wherever they run. */
function expectPrinted(output: string): void {
  expect(output).toContain('Grace Hopper');
  expect(output).toContain('2026-01-31T16:20:00');
  expect(output).toMatch(/400 validation_failed .*email/);
  expect(output).toMatch(/TaskCompleted task_/);
}

describe('the packed client', () => {
  it('is installed without anything else, has the version of the product and the size that it says', async () => {
    const { dependencies = {} } = JSON.parse(
      readFileSync(join(project, 'node_modules/@parley/client/package.json'), 'utf8'),
    );
    expect(dependencies).toEqual({});
    const { code } = await minify(readFileSync(installed, 'utf8'), {
      module: true,
      compress: true,
      mangle: true,
    });
    expect(README).toContain(`${Math.round(gzipSync(code).length / 1_000)} kB minified and compressed`);
  });

  it('has types that all examples keep to, of which Node knows everything', async () => {
    const types = join(project, 'types');
    mkdirSync(types);
    for (const [index, { code }] of BLOCKS.entries())
      writeFileSync(join(types, `${index}.ts`), index === 0 ? code : `${BLOCKS[0]!.code}\n${code}`);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: 'es2023', module: 'nodenext' },
      ...{ lib: ['es2023'], types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['types'] }));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', project]).catch((error) => error);
    expect(stdout).toBe('');
  });

  it('runs each example in Node', async () => {
    let output = '';
    for (const [index, code] of examplesFor(await newWorkspace()).entries()) {
      const file = join(project, `${index}.js`);
      writeFileSync(file, code);
      output += (await run(process.execPath, [file], { cwd: project })).stdout;
    }
    expectPrinted(output);
  });
});

needs(CHROMIUM, hasChromium).describe('the packed client, in a browser', () => {
  let browser: Browser;
  let page: Page;
  let output = '';

  beforeAll(async () => {
    browser = await launchChromium();
    page = await newPage(browser);
    page.on('console', (message) => (output += `${message.text()}\n`));
    await page.goto(origin);
  });
  afterAll(() => browser.close());

  it('runs each example in a page of another origin', async () => {
    for (const [index, code] of examplesFor(await newWorkspace()).entries()) {
      files.set(`/${index}.js`, code);
      await page.evaluate(`import('/${index}.js').then(() => {})`);
    }
    // What a page prints comes by a way of its own.
    await until(() => output.includes('TaskCompleted'));
    expectPrinted(output);
  });

  it('checks the signature of what a webhook posts', async () => {
    const receiver = await startReceiver();
    const { secret, received } = await posted(receiver);
    const given = JSON.stringify([secret, received.headers, received.raw]);
    const checking = (args: string) =>
      page.evaluate(`import('/client.js').then(({ verifyWebhook }) => verifyWebhook(...${args}))`);
    expect(await checking(given)).toEqual(received.event);
    await expect(checking(given.replace('Grace', 'Eve'))).rejects.toThrow('No signature fits');
    await receiver.close();
  });
});

/** What comes in at a new webhook after a contact was created. */
async function posted(receiver: TestReceiver) {
  const { api, adminApi } = await newWorkspace();
  const { secret } = await newWebhook(adminApi, { url: receiver.url, types: ['ContactCreated'] });
  await ok(api.post('contacts', { name: 'Grace Hopper' }));
  const [received] = await receiver.waitFor(1);
  return { secret, received: received! };
}

describe('the client', () => {
  let workspace: Workspace;
  let line: FaultyLine;
  beforeEach(async () => {
    workspace = await newWorkspace();
    line = await startFaultyLine(sharedUrl());
  });
  afterEach(() => line.close());

  const clientOn = (baseUrl: string) =>
    createClient({ baseUrl, apiKey: workspace.key, organizationId: workspace.organizationId });

  const create = async (from: number, to: number) => {
    for (let n = from; n <= to; n++) await ok(workspace.api.post('contacts', { name: `Contact ${n}` }));
  };

  it('follows the feed, each event once, when the connection breaks within an event and while it waits', async () => {
    await create(1, 30);
    const stop = new AbortController();
    const names: string[] = [];
    line.cutAfter(4_000);
    for await (const { data } of clientOn(line.url).events({
      types: ['ContactCreated'],
      signal: stop.signal,
    })) {
      names.push(data.name);
      if (names.length === 30) {
        expect(line.cuts).toBe(1);
        line.cut();
        void create(31, 32);
      }
      if (names.length === 32) stop.abort();
    }
    expect(names).toEqual(Array.from({ length: 32 }, (_, index) => `Contact ${index + 1}`));
    expect(line.cuts).toBe(2);
  });

  it('misses nothing of what happens from now on when the connection breaks before the first event', async () => {
    await create(1, 2);
    const connections: boolean[] = [];
    const onConnection = (isUp: boolean) => void connections.push(isUp);
    const events = clientOn(line.url).events({ after: 'latest', onConnection });
    const next = events.next();
    await until(() => connections.length === 1);
    line.cut();
    await create(3, 3);
    const { value } = await next;
    expect(value).toMatchObject({ type: 'ContactCreated', data: { name: 'Contact 3' } });
    expect(connections).toEqual([true, false, true]);
    await events.return();
  });

  it('has the events of a page typed by their type', async () => {
    await create(1, 1);
    const { data } = await clientOn(sharedUrl()).GET('/api/v2/organizations/{organization_id}/events');
    expect(data.flatMap((one) => (one.type === 'ContactCreated' ? [one.data.name] : []))).toEqual([
      'Contact 1',
    ]);
  });

  it('has created one contact where the answer to the first try was lost', async () => {
    line.cutAfter(0);
    const contact = await clientOn(line.url).POST(CONTACTS, { body: { name: 'Grace Hopper' } });
    expect(line.cuts).toBe(1);
    const { data } = await ok(workspace.api.get('contacts'));
    expect(data).toEqual([contact]);
  });

  it('waits where its key may send no more for now', async () => {
    const client = clientOn(server.url);
    const answers = await Promise.all(Array.from({ length: 15 }, () => client.GET(CONTACTS)));
    expect(answers).toHaveLength(15);
  });

  it('goes through all pages of a list', async () => {
    await create(1, 7);
    const names: string[] = [];
    for await (const { name } of clientOn(sharedUrl()).pages(CONTACTS, {
      params: { query: { limit: 3, sort: 'name' } },
    }))
      names.push(name);
    expect(names).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `Contact ${n}`));
  });

  it('changes a record only at the version that it has seen', async () => {
    const client = clientOn(sharedUrl());
    const { contact_id } = await client.POST(CONTACTS, { body: { name: 'Grace Hopper' } });
    const change = (seen: object, name: string) =>
      client.PATCH(`${CONTACTS}/{contact_id}`, {
        params: { path: { contact_id }, header: { 'If-Match': etagOf(seen)! } },
        body: { name },
      });
    const seen = await client.GET(`${CONTACTS}/{contact_id}`, { params: { path: { contact_id } } });
    await change(seen, 'Grace B. Hopper');
    await expect(change(seen, 'Grace M. Hopper')).rejects.toMatchObject({
      status: 412,
      code: 'version_mismatch',
    });
  });

  it('keeps files as they are', async () => {
    const client = clientOn(sharedUrl());
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const files = '/api/v2/organizations/{organization_id}/files';
    const { file_id } = await client.POST(files, {
      params: { query: { file_name: 'bytes.bin' } },
      body: new Blob([bytes]),
    });
    const file = await client.GET(`${files}/{file_id}`, { params: { path: { file_id } } });
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
  });

  it('checks the signature of what a webhook posts', async () => {
    const receiver = await startReceiver();
    const { secret, received } = await posted(receiver);
    expect(await verifyWebhook(secret, received.headers, received.raw)).toEqual(received.event);
    const changed = received.raw.replace('Grace', 'Eve');
    await expect(verifyWebhook(secret, received.headers, changed)).rejects.toThrow('No signature fits');
    await receiver.close();
  });
});
