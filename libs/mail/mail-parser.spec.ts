import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformFileSync } from '@swc/core';
import { LARGEST_MAIL } from '#http/input/bodies.js';
import { Spooled } from '#http/input/spool.js';
import {
  MailParser,
  MailTimedOut,
  MailTooLarge,
  MailUnreadable,
  type MailParserOptions,
} from './mail-parser.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const CACHE = join(HERE, '../../node_modules/.cache');
/** Milliseconds: longer than this process may be held up where an answer is to be in time. */
const LONG = 3_500;
let folder: string;
let parser: MailParser | undefined;

/** A thread cannot load TypeScript: compiles the parser into a folder from where its packages are found. */
beforeAll(() => {
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(join(CACHE, 'mail-parser-'));
  const imports = { '#kernel/*.js': './kernel/*.js' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', imports }));
  compile(HERE, folder);
  compile(join(HERE, '../kernel'), join(folder, 'kernel'));
});
afterEach(() => parser?.close());
afterAll(() => rmSync(folder, { recursive: true }));

function compile(from: string, to: string): void {
  const sources = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  for (const file of sources) {
    const { code } = transformFileSync(join(from, file), {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'es6' },
    });
    mkdirSync(dirname(join(to, file)), { recursive: true });
    writeFileSync(join(to, file.replace(/\.ts$/, '.js')), code);
  }
}

function start(options: Partial<MailParserOptions> = {}): MailParser {
  return (parser = new MailParser({
    maxBytes: LARGEST_MAIL,
    entry: url('mail-parser.worker.js'),
    ...options,
  }));
}

/** A parser whose thread runs `code` on each mail `text`; it may call `answer(text)`. */
function startFake(code: string, options: Partial<MailParserOptions> = {}): MailParser {
  const lines = [
    `import { parentPort } from 'node:worker_threads';`,
    `let asked = 0, reports = [];`,
    `const answer = (text) => {`,
    `  reports.push({ mail: { text } });`,
    `  if (reports.length === asked) parentPort.postMessage(reports.splice(0));`,
    `};`,
    `const read = (text) => { ${code} };`,
    `parentPort.on('message', (raws) => { asked = raws.length; raws.map((raw) => read(Buffer.from(raw).toString())); });`,
    `parentPort.postMessage([]);`,
  ];
  writeFileSync(join(folder, 'fake.js'), lines.join('\n'));
  return start({ entry: url('fake.js'), threads: 1, ...options });
}

function url(file: string): URL {
  return pathToFileURL(join(folder, file));
}

function mail(text: string): Spooled {
  return raw(`From: ann@example.org\r\nSubject: Hello\r\n\r\n${text}`);
}

function raw(text: string): Spooled {
  return Spooled.of(Buffer.from(text));
}

it('parses mails in threads', async () => {
  const texts = ['one', 'two', 'three'];
  const mails = await Promise.all(texts.map((text) => start().parse(mail(text))));
  expect(mails.map(({ text }) => text)).toEqual(texts);
});

it('refuses a mail over the size limit', async () => {
  const long = mail('too long');
  await expect(start({ maxBytes: long.size - 1 }).parse(long)).rejects.toThrow(MailTooLarge);
  await expect(start({ maxBytes: long.size }).parse(long)).resolves.toMatchObject({ text: 'too long' });
});

it('gives up on a mail over the time limit and goes on with the next', async () => {
  startFake(`if (text === 'endless') for (;;); answer(text);`, { maxDuration: LONG });
  const endless = parser!.parse(raw('endless'));
  const next = parser!.parse(raw('next'));
  await expect(endless).rejects.toThrow(MailTimedOut);
  await expect(next).resolves.toEqual({ text: 'next' });
});

it('calls a mail unreadable only when the same bytes time out again', async () => {
  startFake(`if (text.startsWith('endless')) for (;;); answer(text);`, { maxDuration: 200 });
  const parse = (text: string) => parser!.parse(raw(text));
  await expect(parse('endless 1')).rejects.toThrow(MailTimedOut);
  await expect(parse('endless 2')).rejects.toThrow(MailTimedOut);
  await expect(parse('endless 1')).rejects.toThrow(MailUnreadable);
  await expect(parse('endless 2')).rejects.toThrow(MailUnreadable);
});

it('gives a large mail longer than a small one', async () => {
  startFake(`/* no answer */`, { maxDuration: 100 });
  const large = raw('x'.repeat(20 * 1024 * 1024));
  await expect(parser!.parse(raw('small'))).rejects.toThrow('not parsed within 100 ms');
  await expect(parser!.parse(large)).rejects.toThrow('not parsed within 300 ms');
});

it.each(['for (;;);', 'process.exit(3);'])(
  'reads the mails that go together with one that ends the thread by %s',
  async (crash) => {
    startFake(`if (text === 'crash') { ${crash} } answer(text);`, { maxDuration: LONG });
    const texts = ['first', 'second', 'crash', 'third', 'fourth'];
    const outcomes = await Promise.allSettled(texts.map((text) => parser!.parse(raw(text))));
    expect(outcomes.map(({ status }) => status)).toEqual(
      texts.map((text) => (text === 'crash' ? 'rejected' : 'fulfilled')),
    );
  },
);

it('does not charge a mail for waiting its turn', async () => {
  startFake(`setTimeout(() => answer(text[0]), ${LONG / 4});`, { maxDuration: LONG });
  const alone = 100 * 1024;
  const mails = ['1', '2', '3', '4', '5'].map((text) => parser!.parse(raw(text.repeat(alone))));
  expect((await Promise.all(mails)).map(({ text }) => text)).toEqual(['1', '2', '3', '4', '5']);
});

it.each(['process.exit(3)', `throw new Error('broken')`])(
  'replaces a thread that crashes by %s',
  async (crash) => {
    startFake(`if (text === 'crash') ${crash}; answer(text);`);
    await expect(parser!.parse(raw('crash'))).rejects.toThrow(MailUnreadable);
    await expect(parser!.parse(raw('next'))).resolves.toEqual({ text: 'next' });
  },
);

it('replaces a thread that runs out of memory', async () => {
  const hoard = 'const all = []; for (;;) all.push(Array.from({ length: 1000 }, () => ({})))';
  startFake(`if (text === 'hoard') { ${hoard} } answer(text);`, { maxHeap: 16 });
  await expect(parser!.parse(raw('hoard'))).rejects.toThrow(MailUnreadable);
  await expect(parser!.parse(raw('next'))).resolves.toEqual({ text: 'next' });
});

it('does not blame the mail when the thread cannot start', async () => {
  const parsing = start({ entry: url('missing.js') }).parse(mail('fine'));
  await expect(parsing).rejects.not.toThrow(MailUnreadable);
});

it('does not blame the mail when it is closed', async () => {
  startFake(`setTimeout(() => answer(text), 10_000);`);
  const outcomes = Promise.allSettled([parser!.parse(mail('running')), parser!.parse(mail('waiting'))]);
  await parser!.close();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { message: /closed/ } });
  await expect(parser!.parse(mail('late'))).rejects.toThrow('closed');
});

it.each([
  [
    '5,000 nested multiparts',
    Array.from(
      { length: 5_000 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
    ).join(''),
  ],
  ['10 MB of headers', 'X-Filler: 12345678\r\n'.repeat(500_000)],
  ['one header of 10 MB', `X-Filler: ${'x'.repeat(10_000_000)}`],
])('comes to an end with %s', async (_what, text) => {
  await expect(start({ maxDuration: 2_000 }).parse(raw(text))).rejects.toThrow(
    /child nodes|header size|not parsed within/,
  );
});

it('does not keep the process alive', () => {
  const script = [
    `import { MailParser } from './mail-parser.js';`,
    `const raw = Buffer.from('Subject: x\\r\\n\\r\\nHello');`,
    `const mail = { size: raw.length, sha256: '', path: null, bytes: async () => raw };`,
    `const { text } = await new MailParser({ maxBytes: 100 }).parse(mail);`,
    `process.stdout.write(text);`,
  ];
  writeFileSync(join(folder, 'script.js'), script.join('\n'));
  const { status, stdout } = spawnSync(process.execPath, [join(folder, 'script.js')], {
    encoding: 'utf8',
    timeout: 50_000,
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'Hello' });
});
