import { parseMail } from './parse-mail.js';

interface Piece {
  type: string;
  body: string;
  headers?: string[];
}

/** The HTML of a mail with these parts. */
async function htmlOf(parts: Piece[], multipart = 'related'): Promise<string | null> {
  const lines = parts.flatMap(({ type, body, headers = [] }) => [
    '--b',
    `Content-Type: ${type}`,
    ...headers,
    '',
    body,
  ]);
  const mail = [
    'From: ann@navy.example',
    `Content-Type: multipart/${multipart}; boundary=b`,
    '',
    ...lines,
    '--b--',
  ];
  return (await parseMail(Buffer.from(mail.join('\r\n')))).html;
}

const html = (body: string): Piece => ({ type: 'text/html; charset=utf-8', body });
const plain = (body: string): Piece => ({ type: 'text/plain; charset=utf-8', body });
const picture = (id: string): Piece => ({ type: 'image/png', body: 'x', headers: [`Content-ID: <${id}>`] });

describe('what a mail looked like', () => {
  it('is nothing for a mail without HTML', async () => {
    expect(await htmlOf([plain('Hello')])).toBeNull();
    expect(await htmlOf([html('  \u200b ')])).toBeNull();
  });

  it('is its HTML, and not the plain text beside it', async () =>
    expect(await htmlOf([plain('Hello'), html('<p>Hello</p>')], 'alternative')).toBe('<p>Hello</p>'));

  it('is all of its parts in order, text as it is written', async () =>
    expect(await htmlOf([html('<p>One</p>'), plain('2 < 3 & "4"')], 'mixed')).toBe(
      '<p>One</p>\n<div style="white-space:pre-wrap">2 &lt; 3 &amp; &quot;4&quot;</div>',
    ));

  it('has no tag that another part closes', async () => {
    const shown = await htmlOf([html('<style>p{}'), html('<img src=x onerror=alert(1)></style>')], 'mixed');
    expect(shown!.replace(/<style>[^]*?<\/style>/g, '')).not.toContain('onerror');
  });

  it('is none when it is longer than a million characters once it is clean', async () =>
    expect(await htmlOf([html(`<p title=x>${'&'.repeat(900_000)}`)])).toBeNull());

  it('is its first million characters, the last tag closed', async () => {
    const shown = await htmlOf([html(`<p>${'Hello '.repeat(900_000)}`)]);
    expect(shown).toBeNull();
    expect(await htmlOf([html(`<p>${'Hello '.repeat(160_000)}</p><!--${'x'.repeat(4_000_000)}`)])).toBe(
      `<p>${'Hello '.repeat(160_000)}</p>`,
    );
  });

  it('of five million characters of nested tags is none', async () =>
    expect(await htmlOf([html('<div>'.repeat(1_000_000))])).toBeNull());
});

describe('a picture in it', () => {
  it('names a file exactly as the file does', async () =>
    expect(await htmlOf([html('<img src="cid:a%2Bb%40navy">'), picture('a+b@navy')])).toBe(
      '<img src="cid:a+b@navy">',
    ));

  it('does so in a style and a style sheet, too', async () => {
    const by = `background:url('cid:a%40navy')`;
    expect(await htmlOf([html(`<style>p{${by}}</style><p style="${by}">Hello</p>`), picture('a@navy')])).toBe(
      `<style>p{background:url('cid:a@navy')}</style><p style="background:url('cid:a@navy')">Hello</p>`,
    );
  });

  it('keeps the name of a file that is not there', async () =>
    expect(await htmlOf([html('<img src="cid:a%40navy">'), picture('b@navy')])).toBe(
      '<img src="cid:a%40navy">',
    ));

  it.each([
    ['x<img src=x onerror=alert(1)>y', '<p>="cid:x%3Cimg%20src=x%20onerror=alert%281%29%3Ey"</p>'],
    ['x" onerror="alert(1)', '<img src="cid:x%22%20onerror=%22alert%281%29">'],
    [
      'x</style><img src=x onerror=alert(1)>y',
      '<style>p{background:url("cid:x%3C/style%3E%3Cimg%20src=x%20onerror=alert%281%29%3Ey")}</style>',
    ],
  ])('does not become a tag by the name of its file: %s', async (id, body) => {
    const shown = (await htmlOf([
      html(body),
      { type: 'image/png', body: 'x', headers: [`Content-ID: ${id}`] },
    ]))!;
    expect(shown).not.toMatch(/<img src=x/);
    expect(shown).not.toMatch(/" onerror/);
  });
});
