import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { VERSION } from '#config/product.js';
import { emailChannel, newWorkspace, sharedUrl } from '../support/clients/client.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { inDatabase } from '../support/database/database.js';
import { needs } from '../support/needs.js';
import { databaseUrl, freePort, startServer } from '../support/server/server.js';
import { startingDatabase } from '../support/database/starting-database.js';
import { until } from '../support/until.js';

describe('a data directory that cannot be made', () => {
  it.each(['/proc/parley', '/proc/parley/data', '/dev/null/data', '/proc'])(
    'ends the start with what to mend: %s',
    async (dataDir) => {
      const child = spawn(process.execPath, ['dist/bin/main.js'], {
        env: { PATH: process.env['PATH'], PARLEY_DATA_DIR: dataDir },
        // One that hangs does not hear SIGTERM.
        timeout: 60_000,
        killSignal: 'SIGKILL',
      });
      const errors = text(child.stderr);
      expect(await once(child, 'exit')).toEqual([1, null]);
      expect(await errors).toMatch(
        /^Parley cannot start\.\nThe directory \/\S+ cannot be made .*Set PARLEY_DATA_DIR/,
      );
    },
  );
});

it('a database that cannot hold every text ends the start with what to mend', async () => {
  const url = new URL(await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!));
  url.pathname = `latin_${process.pid}`;
  await inDatabase(async (database) => {
    const latin1 = `ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`;
    await database.query(`CREATE DATABASE latin_${process.pid} ${latin1}`);
    const child = spawn(process.execPath, ['dist/bin/api.js'], {
      env: { PATH: process.env['PATH'], DATABASE_URL: url.href, PARLEY_SECRET_KEY: 'a'.repeat(64) },
    });
    const errors = text(child.stderr);
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(await errors).toMatch(/^Parley cannot start\.\nThe database is encoded in LATIN1\. .*UTF8/);
    await database.query(`DROP DATABASE latin_${process.pid}`);
  });
});

describe('a database that cannot be used ends the start with what to mend', () => {
  const saidWith = async (DATABASE_URL: string) => {
    const child = spawn(process.execPath, ['dist/bin/api.js'], {
      env: { PATH: process.env['PATH'], DATABASE_URL, PARLEY_SECRET_KEY: 'a'.repeat(64) },
    });
    const errors = text(child.stderr);
    expect(await once(child, 'exit')).toEqual([1, null]);
    return errors;
  };

  it('for want of rights', async () => {
    const url = new URL(await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!));
    const name = `guest_${process.pid}`;
    await inDatabase(async (database) => {
      await database.query(`CREATE ROLE ${name} LOGIN PASSWORD 'guest'`);
      await database.query(`CREATE DATABASE ${name}`);
      Object.assign(url, { username: name, password: 'guest', pathname: name });
      expect(await saidWith(url.href)).toBe(
        'Parley cannot start.\nDatabase: this user may not create schemas in the database, which the queue and rebuilds do. ' +
          `Run as its owner, or GRANT CREATE ON DATABASE ${name} TO ${name}.\n`,
      );
      await database.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await database.query(`DROP ROLE ${name}`);
    });
  });

  it('as none of several servers answers', async () =>
    expect(await saidWith('postgres://u:p@127.0.0.1:1,127.0.0.1:2/x')).toMatch(
      /^Parley cannot start\.\nDatabase: the server at 127\.0\.0\.1:1,127\.0\.0\.1:2 cannot be reached: none of the servers takes writes \(127\.0\.0\.1:1: .*; 127\.0\.0\.1:2: .*\)\. .* DATABASE_URL.*\n$/,
    ));
});

describe('a process that waits for its database', () => {
  it.each(['main', 'api', 'worker'])('ends when it is told to: %s', async (entry) => {
    const database = await startingDatabase('postgres://u:p@127.0.0.1/parley');
    const child = spawn(process.execPath, [`dist/bin/${entry}.js`], {
      env: { PATH: process.env['PATH'], DATABASE_URL: database.url, PARLEY_SECRET_KEY: 'a'.repeat(64) },
    });
    const errors = text(child.stderr);
    await until(() => database.refused() > 0);
    child.kill('SIGTERM');
    // What ends only because it took too long says so.
    expect([...(await once(child, 'exit')), await errors]).toEqual([0, null, '']);
    database.close();
  });

  it('says that another migrates it, and ends when it is told to', async () => {
    const DATABASE_URL = await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!);
    let errors = '';
    await inDatabase(async (other) => {
      await other.query('SELECT pg_advisory_lock(7015927)');
      const child = spawn(process.execPath, ['dist/bin/api.js'], {
        env: { PATH: process.env['PATH'], DATABASE_URL, PARLEY_SECRET_KEY: 'a'.repeat(64) },
      });
      child.stderr.setEncoding('utf8').on('data', (part) => (errors += part));
      await until(() => errors.includes('\n'));
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    });
    expect(errors).toBe('Waiting for another process that migrates the database.\n');
  });
});

it.each(['main', 'api', 'worker', 'cli'])('%s tells its version, and starts nothing', async (entry) => {
  const child = spawn(process.execPath, [`dist/bin/${entry}.js`, '--version'], { env: {} });
  expect(await text(child.stdout)).toBe(`${VERSION}\n`);
  expect(await text(child.stderr)).toBe('');
});

it('a port that is taken is told before a database is made', async () => {
  const dataDir = newDataDir();
  const { port } = new URL(sharedUrl());
  const child = spawn(process.execPath, ['dist/bin/main.js'], {
    env: { PATH: process.env['PATH'], PORT: port, HOST: '127.0.0.1', PARLEY_DATA_DIR: dataDir },
  });
  const errors = text(child.stderr);
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(await errors).toBe(`Parley cannot start.\nPort ${port} is in use. Choose another one with PORT.\n`);
  expect(readdirSync(dataDir)).toEqual([]);
  removeDataDir(dataDir);
});

/** Gives a program a terminal; that of macOS takes other options. */
const hasScript = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

needs('script of util-linux', hasScript).it('says on a terminal what it does', async () => {
  const dataDir = newDataDir();
  const env = {
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    PARLEY_DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
  };
  const child = spawn('script', ['-qec', `${process.execPath} dist/bin/main.js`, '/dev/null'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part) => (said += part));
  await until(() => child.exitCode !== null || said.includes('Ctrl-C stops it'));
  child.stdin.write('\x03');
  await until(() => said.includes('Parley has stopped. Your data stays in'));
  for (const words of [
    'Making a database in',
    'Making the demo organization',
    /Organization org_\w+/,
    dataDir,
  ])
    expect(said).toMatch(words);
  expect(said.trimStart()).toMatch(/^The console will be at http:\/\/localhost:\d+\/console\./);
  expect(said).not.toMatch(/warning|deprecat/i);
  removeDataDir(dataDir);
});

it('a key that has not sealed the channels is told at start', async () => {
  const first = await startServer();
  await emailChannel(await newWorkspace({ url: first.url }), 1);
  await first.stop();
  const env = { PARLEY_SECRET_KEY: 'b'.repeat(64) };
  const other = await startServer({ env, dataDir: first.dataDir });
  await until(() => other.output().includes('sealed under another key. Set PARLEY_SECRET_KEY'));
  await other.stop();
  const again = await startServer({ dataDir: first.dataDir });
  await again.stop();
  expect(again.output()).not.toContain('sealed');
  removeDataDir(first.dataDir);
});
