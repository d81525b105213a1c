import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NoRoom, Spool, type Spooled, TooManyBytes } from './spool.js';

const LIMITS = { small: 10, memory: 25, disk: 100 };
let folder: string;
let spool: Spool;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'));
  spool = new Spool(folder, LIMITS);
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

const take = (...texts: string[]): Promise<Spooled> => spool.take(chunks(...texts), 1_000);
const textOf = async (bytes: Spooled): Promise<string> => Buffer.from(await bytes.bytes()).toString();

describe('What comes in', () => {
  it.each([
    ['is in memory while it is small', ['12345', '67890'], false],
    ['is in memory when it is nothing', [], false],
    ['goes to disk with the first byte beyond', ['12345', '678901'], true],
    ['goes to disk at once when the first chunk is large', ['12345678901', '2'], true],
  ])('%s', async (_rule, texts, isOnDisk) => {
    const bytes = await take(...texts);
    const text = texts.join('');
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect(bytes).toMatchObject({ size: text.length, sha256 });
    expect(await textOf(bytes)).toBe(text);
    expect(Buffer.from(await bytes.beginning(3)).toString()).toBe(text.slice(0, 3));
    expect(bytes.path !== null).toBe(isOnDisk);
    expect(readdirSync(folder)).toHaveLength(isOnDisk ? 1 : 0);
    await bytes.remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('may come byte by byte', async () => {
    spool = new Spool(folder, { ...LIMITS, small: 500, memory: 500, disk: 501 });
    const letters = Array.from({ length: 501 }, (_, nr) => String.fromCharCode(97 + (nr % 26)));
    for (const count of [63, 64, 65, 500, 501]) {
      const bytes = await take(...letters.slice(0, count));
      expect(await textOf(bytes)).toBe(letters.slice(0, count).join(''));
      await bytes.remove();
    }
  });

  it('goes to disk though it is small when the memory of all is used up, until some is given back', async () => {
    const held = [await take('1234567890'), await take('1234567890')];
    const third = await take('123', '4567890');
    expect(third.path).not.toBeNull();
    expect(await textOf(third)).toBe('1234567890');
    await held[0]!.remove();
    expect((await take('1234567890')).path).toBeNull();
  });

  it('is refused when the disk of all is used up, until some is given back', async () => {
    const held = await take('x'.repeat(90));
    await expect(take('x'.repeat(11))).rejects.toThrow(NoRoom);
    expect(readdirSync(folder)).toHaveLength(1);
    await held.remove();
    await expect(take('x'.repeat(100))).resolves.toMatchObject({ size: 100 });
  });

  it('leaves nothing when it is too large or breaks off', async () => {
    async function* breakingOff() {
      yield Buffer.from('x'.repeat(60));
      throw new Error('reset');
    }
    await expect(spool.take(chunks('x'.repeat(60), 'x'), 60)).rejects.toThrow(TooManyBytes);
    await expect(spool.take(breakingOff(), 100)).rejects.toThrow('reset');
    expect(readdirSync(folder)).toEqual([]);
    await expect(take('x'.repeat(100))).resolves.toMatchObject({ size: 100 });
  });

  it('is refused when the folder cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '');
    spool = new Spool(join(folder, 'file'), LIMITS);
    await expect(take('x'.repeat(11))).rejects.toThrow(NoRoom);
  });

  it('is removed an hour after its process ended at once', async () => {
    const { path: left } = await take('x'.repeat(30));
    const { path: coming } = await take('x'.repeat(30));
    const longAgo = Date.now() / 1_000 - 3_700;
    utimesSync(left!, longAgo, longAgo);
    await spool.removeLeftovers();
    expect([existsSync(left!), existsSync(coming!)]).toEqual([false, true]);
  });
});
