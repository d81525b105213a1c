import fc from 'fast-check';
import { parseMail } from './parse-mail.js';
import { readTnef } from './mail-tnef-stream.js';

const u16 = (value: number) => Buffer.from(Uint16Array.of(value).buffer);
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const padded = (value: Buffer) => Buffer.concat([value, Buffer.alloc((4 - (value.length % 4)) % 4)]);

const attribute = (level: number, id: number, value: Buffer) =>
  Buffer.concat([Buffer.of(level), u32(id), u32(value.length), value, u16(0)]);
const property = (type: number, id: number, value: Buffer) => Buffer.concat([u16(type), u16(id), value]);
const sized = (type: number, id: number, value: Buffer) =>
  property(type, id, Buffer.concat([u32(1), u32(value.length), padded(value)]));
const properties = (level: number, id: number, all: Buffer[]) =>
  attribute(level, id, Buffer.concat([u32(all.length), ...all]));
const tnef = (...attributes: Buffer[]) => Buffer.concat([u32(0x223e9f78), u16(1), ...attributes]);

const said = (...all: Buffer[]) => properties(1, 0x69003, all);
const utf16 = (text: string) => Buffer.from(`${text}\0`, 'utf16le');
const codePage = (page: number) => attribute(1, 0x69007, Buffer.concat([u32(page), u32(0)]));
const body = (text: string) => sized(0x1f, 0x1000, utf16(text));
const html = (text: string) => sized(0x102, 0x1013, Buffer.from(text));
/** RTF as it may be kept uncompressed (MS-OXRTFCP, 2.1.3.1.4). */
const rtf = (text: string) => {
  const raw = Buffer.from(text, 'latin1');
  return sized(
    0x102,
    0x1009,
    Buffer.concat([u32(raw.length + 12), u32(raw.length), Buffer.from('MELA'), u32(0), raw]),
  );
};
const file = (name: string, bytes: Buffer, ...more: Buffer[]) =>
  Buffer.concat([
    attribute(2, 0x69002, Buffer.alloc(14)),
    attribute(2, 0x18010, Buffer.from('SHORT~1.TXT\0')),
    attribute(2, 0x6800f, bytes),
    properties(2, 0x69005, [sized(0x1f, 0x3707, utf16(name)), ...more]),
  ]);
const named = property(
  0x03,
  0x8001,
  Buffer.concat([Buffer.alloc(16), u32(1), u32(6), padded(utf16('ab')), u32(7)]),
);
const several = property(
  0x101f,
  0x9000 & 0x7fff,
  Buffer.concat([u32(2), u32(4), utf16('a'), u32(4), utf16('b')]),
);

const mailWith = (winmail: Buffer, text = '', type = 'application/ms-tnef') =>
  Buffer.concat([
    Buffer.from(
      [
        'From: ann@buyer.example',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/plain; charset=utf-8',
        '',
        text,
        '--b',
        `Content-Type: ${type}; name="winmail.dat"`,
        'Content-Transfer-Encoding: base64',
        '',
        winmail.toString('base64'),
        '--b--',
        '',
      ].join('\r\n'),
    ),
  ]);
const read = async (...told: Parameters<typeof mailWith>) => {
  const { text, attachments } = await parseMail(mailWith(...told));
  return {
    text,
    files: attachments.map(({ name, type, bytes }) => [name, type, Buffer.from(bytes).toString()]),
  };
};

const FROM_HTML =
  "{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 {\\*\\htmltag64 <p>}Gr\\'fc\\'dfe{\\*\\htmltag72 </p>}}";

describe('the text of a winmail.dat', () => {
  it.each([
    ['as UTF-16', tnef(said(named, several, body('Zwölf Stühle, 椅子'))), 'Zwölf Stühle, 椅子'],
    ['in a code page', tnef(codePage(1251), attribute(1, 0x2800c, Buffer.from([0xc4, 0xe0, 0]))), 'Да'],
    ['as HTML', tnef(codePage(65001), said(html('<p>Zwölf <b>Stühle</b></p>'))), 'Zwölf Stühle'],
    ['as HTML within RTF', tnef(said(rtf(FROM_HTML))), 'Grüße'],
    ['as RTF alone', tnef(said(rtf('{\\rtf1\\ansi Twelve\\par chairs}'))), 'Twelve\nchairs'],
  ])('becomes the mail: %s', async (_, winmail, text) =>
    expect(await read(winmail)).toEqual({ text, files: [] }),
  );

  it('is left out where the mail says something itself', async () =>
    expect(await read(tnef(said(body('Again'))), 'Twelve chairs')).toEqual({
      text: 'Twelve chairs',
      files: [],
    }));

  it('is read as well when a gateway made an octet-stream of it', async () =>
    expect((await read(tnef(said(body('Chairs'))), '', 'application/octet-stream')).text).toBe('Chairs'));
});

describe('the files in a winmail.dat', () => {
  it('become attachments with their names and types', async () => {
    const type = sized(0x1f, 0x370e, utf16('text/csv'));
    const winmail = tnef(
      said(body('See')),
      file('Stühle 椅子.csv', Buffer.from('a;b'), type),
      file("it's.bin", Buffer.from('x')),
    );
    expect(await read(winmail)).toEqual({
      text: 'See',
      files: [
        ['Stühle 椅子.csv', 'text/csv', 'a;b'],
        ["it's.bin", 'application/octet-stream', 'x'],
      ],
    });
  });

  it('may be a message, whose text is shown with the others that are attached', async () => {
    const inner = tnef(said(body('Inner text')));
    const object = sized(0x0d, 0x3701, Buffer.concat([Buffer.alloc(16), inner]));
    const attached = Buffer.concat([
      attribute(2, 0x69002, Buffer.alloc(14)),
      properties(2, 0x69005, [object]),
    ]);
    const { files, text } = await read(tnef(said(body('Outer')), attached));
    expect(`${text} ${JSON.stringify(files)}`).toMatch(/Outer[^]*Inner text|message\.eml/);
  });
});

it('leaves out RTF that claims to be longer than it is', async () => {
  const claim = sized(0x102, 0x1009, Buffer.concat([u32(0x7ffffff0), u32(10), Buffer.from('LZFu'), u32(0)]));
  expect(await read(tnef(said(body('Chairs'), claim)))).toEqual({ text: 'Chairs', files: [] });
});

it('keeps a message in it that cannot be read as a file', async () => {
  const broken = tnef(said(body('Inner'))).subarray(0, 30);
  const object = sized(0x0d, 0x3701, Buffer.concat([Buffer.alloc(16), broken]));
  const attached = Buffer.concat([attribute(2, 0x69002, Buffer.alloc(14)), properties(2, 0x69005, [object])]);
  const { files } = await read(tnef(said(body('Outer')), attached));
  expect(files.map(([name]) => name)).toEqual(['message.tnef']);
});

describe('a winmail.dat that cannot be read', () => {
  const whole = tnef(
    codePage(1252),
    said(named, several, body('Chairs'), rtf(FROM_HTML)),
    file('a.txt', Buffer.from('a')),
  );

  it('stays an attachment, cut off wherever it is', async () => {
    for (let length = 0; length < whole.length; length++) {
      const cut = whole.subarray(0, length);
      let isReadable = true;
      try {
        readTnef(cut);
      } catch (error) {
        expect((error as Error).name).toBe('RangeError');
        isReadable = false;
      }
      const { files } = await read(cut);
      if (!isReadable && length > 0) expect(files.map(([name]) => name)).toEqual(['winmail.dat']);
    }
  });

  it('harms nobody, whatever bytes there are', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), fc.nat(whole.length - 1), (bytes, at) => {
        const changed = Buffer.from(whole);
        changed.set(bytes.subarray(0, whole.length - at), at);
        try {
          readTnef(changed);
        } catch (error) {
          expect((error as Error).name).toBe('RangeError');
        }
      }),
    ));
});
