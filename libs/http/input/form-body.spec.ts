import { FormBody } from './form-body.js';

const multipart = (
  boundary: string,
  value: string,
  type = `multipart/form-data; boundary=${boundary}`,
  before = '',
  after = '',
) =>
  new FormBody(
    type,
    Buffer.from(
      `${before}--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${value}\r\n--${boundary}--\r\n${after}`,
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

  it.each(['', '\r\n', 'This is a form.', 'Two lines.\r\n-- x', '--', 'a --x'])(
    'may stand behind a preamble, which says nothing: %j',
    async (preamble) => {
      const form = multipart('x', 'box', undefined, `${preamble}\r\n`);
      expect(await form.fields()).toEqual([['a', 'box']]);
    },
  );

  it('may be followed by an epilogue, which says nothing', async () => {
    const form = multipart('x', 'box', undefined, '', 'Goodbye.\r\n--x\r\n');
    expect(await form.fields()).toEqual([['a', 'box']]);
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=y'])(
    'without its boundary is malformed: %s',
    async (type) => {
      await expect(multipart('x', 'box', type).fields()).rejects.toMatchObject({ code: 'validation_failed' });
    },
  );
});

describe('a form in the notation of URLs', () => {
  const form = (body: string) =>
    new FormBody('application/x-www-form-urlencoded', Buffer.from(body)).fields();

  it('keeps the fields behind any number of empty ones', async () =>
    expect(await form(`a=1${'&'.repeat(1_001)}b=2`)).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]));

  it('is refused with more fields than people fill in', () =>
    expect(form('a=1&'.repeat(1_001))).rejects.toMatchObject({ status: 400 }));
});
