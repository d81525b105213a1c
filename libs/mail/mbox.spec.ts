import { readMbox } from './mbox.js';

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function mails(text: string, { limit = 1_000, piece = 7 } = {}): Promise<(string | number)[]> {
  const found: (string | number)[] = [];
  for await (const entry of readMbox(inPieces(text, piece), limit))
    found.push('raw' in entry ? entry.raw.toString('latin1') : entry.tooLarge);
  return found;
}

const ENVELOPE = 'From grace@navy.example Fri Jan  2 03:04:05 2026\n';

describe('an mbox', () => {
  it.each([1, 7, 10_000])('is parted into its mails, read %d bytes at a time', async (piece) => {
    const text = `${ENVELOPE}Subject: a\n\none\n\n${ENVELOPE}Subject: b\n\ntwo\n`;
    expect(await mails(text, { piece })).toEqual(['Subject: a\n\none\n\n', 'Subject: b\n\ntwo\n']);
  });

  it('may end its lines with CRLF', async () => {
    const text = `${ENVELOPE}Subject: a\n\none\n\n${ENVELOPE}Subject: b\n\ntwo\n`.replaceAll('\n', '\r\n');
    expect(await mails(text)).toHaveLength(2);
  });

  it('has lines that begin with From in a mail, quoted or without a date', async () => {
    const text = `${ENVELOPE}Subject: a\n\n>From 3:04 on\n>>From b\n\nFrom now on\nFrom x 3:04\n`;
    expect(await mails(text)).toEqual(['Subject: a\n\nFrom 3:04 on\n>From b\n\nFrom now on\nFrom x 3:04\n']);
  });

  it('tells of a mail over the limit, and goes on', async () => {
    const text = `${ENVELOPE}${'x'.repeat(2_000)}\n\n${ENVELOPE}Subject: b\n\n`;
    expect(await mails(text)).toEqual([2_002, 'Subject: b\n\n']);
  });

  it('is empty when the file is, and none when it begins otherwise', async () => {
    expect(await mails('')).toEqual([]);
    await expect(mails('Subject: a\n\none\n')).rejects.toThrow('no mbox');
  });
});
