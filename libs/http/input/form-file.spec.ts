import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { fileOfForm } from './form-file.js';

const TYPE = 'multipart/form-data; boundary="b b"';
const HEAD =
  '--b b\r\nContent-Disposition: form-data; name="x"; filename="y"\r\nContent-Type: text/csv\r\n\r\n';

const inPieces = (bytes: Buffer, size: number): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, nr) =>
      bytes.subarray(nr * size, (nr + 1) * size),
    ),
  );

describe('the file of a form', () => {
  it('has its bytes, in whatever pieces they come', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
          fc
            .array(fc.constantFrom('\r', '\n', '-', '--b', '\r\n--b', ' b', 'x'))
            .map((some) => Buffer.from(some.join(''))),
        ),
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom('', 'before\r\n'),
        fc.constantFrom('', '\r\n', '\r\nafter'),
        async (bytes, size, before, after) => {
          fc.pre(!`\r\n${bytes.toString('latin1')}`.includes('\r\n--b b'));
          const body = Buffer.concat([Buffer.from(before + HEAD), bytes, Buffer.from(`\r\n--b b--${after}`)]);
          const { file, taken } = await fileOfForm(TYPE, inPieces(body, size), buffer);
          expect(file).toEqual({ file_name: 'y', content_type: 'text/csv' });
          expect(taken.equals(bytes)).toBe(true);
        },
      ),
    ));

  it('is refused where its bytes are cut off, wherever that is', async () => {
    const body = Buffer.from(`${HEAD}text\r\n--b b--`);
    for (let length = 0; length < body.length; length++)
      await expect(fileOfForm(TYPE, inPieces(body.subarray(0, length), 7), buffer)).rejects.toMatchObject({
        status: 400,
      });
  });

  it('is refused with what refuses its bytes', async () => {
    const refusal = new Error('too large');
    const take = () => Promise.reject(refusal);
    await expect(fileOfForm(TYPE, inPieces(Buffer.from(`${HEAD}text\r\n--b b--`), 9), take)).rejects.toBe(
      refusal,
    );
  });
});
