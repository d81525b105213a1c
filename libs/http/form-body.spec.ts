import { FormBody } from './form-body.js';

const multipart = (boundary: string, value: string, type = `multipart/form-data; boundary=${boundary}`) =>
  new FormBody(
    type,
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${value}\r\n--${boundary}--\r\n`,
    ),
  );

describe('a multipart form', () => {
  it.each(['box', 'an --x', 'x\r\ny', 'a--x--', '\r\n-x', ''])(
    'keeps a value in which the boundary stands, but not as a delimiter: %j',
    async (value) => expect(await multipart('x', value).fields()).toEqual([['a', value]]),
  );

  it('may quote its boundary', async () =>
    expect(await multipart('x y', 'an x y z', 'multipart/form-data; boundary="x y"').fields()).toEqual([
      ['a', 'an x y z'],
    ]));

  it.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=y'])(
    'without its boundary is malformed: %s',
    async (type) => {
      await expect(multipart('x', 'box', type).fields()).rejects.toMatchObject({ code: 'validation_failed' });
    },
  );
});
