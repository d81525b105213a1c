import { sanitizeHtml } from '#http/input/sanitize-html.js';
import { safeHtml } from '#mail/safe-html.js';
import { textOf } from './html.js';

describe('HTML on the way in', () => {
  it('keeps what people write', () => {
    const html =
      '<p style="color:red">Hello <b>Bob</b>, see <a href="https://x.example/a?b=1&amp;c=2">this</a></p>';
    expect(safeHtml(html)).toBe(html);
  });

  it.each([
    '<p>Hello<br>World<br/>and<br /></p><hr>',
    'Fish & chips, 5 > 3, "quoted" &amp; escaped',
    '<a href="https://x.example/?a=1&b=2">x</a>',
    '<img src="https://x.example/a.png" alt="a & b">',
    '<p>Dear&nbsp;Grace, &lt;3 &copy;&#32;2026 &quot;&euro;&#x35;&quot;</p>',
    '<a href="https://x.example/?q=&quot;blue&quot;&amp;page=2" title="&lt;b&gt;">x</a>',
    'Grüße\n🎉 こんにちは',
  ])('is as it was given where nothing is taken out: %s', (html) => expect(safeHtml(html)).toBe(html));

  it.each([
    ['&lt;script&gt;alert(1)&lt;/script&gt;', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['<p>1 < 2</p>', '<p>1 &lt; 2</p>'],
    ['<!--><script>alert(1)</script>--><br>', '--&gt;<br />'],
    ['<a href="java&Tab;script:alert(1)">x & y</a>', '<a>x &amp; y</a>'],
    [
      `<p title='"onclick=alert(1) x="'>a & b</p>`,
      '<p title="&quot;onclick=alert(1) x=&quot;">a &amp; b</p>',
    ],
    ['<p title="a" / onclick="x">&</p>', '<p title="a">&amp;</p>'],
    ['&nbsp;<a href="https://x.example/" onclick="x">a</a>', '\u00a0<a href="https://x.example/">a</a>'],
    ['<script>x</script>&nbsp;&lt;script&gt;x&lt;/script&gt;', '\u00a0&lt;script&gt;x&lt;/script&gt;'],
    ['<p/>a & b', '<p>a &amp; b</p>'],
    ['<b/&gt;</b>', '<b></b>'],
    ['cite<p/&gt;</p>', 'cite<p></p>'],
  ])('is written anew wherever it could be read in two ways: %s', (html, expected) =>
    expect(safeHtml(html)).toBe(expected),
  );

  it.each(['png', 'jpeg', 'gif', 'webp', 'PNG'])('keeps an image of its own: %s', (type) => {
    for (const blank of ['', ' ']) {
      const html = `<img src="${blank}data:image/${type};base64,AAAA" alt="a" />`;
      expect(safeHtml(html)).toBe(html);
    }
  });

  it.each([
    'data:text/html,<script>alert(1)</script>',
    'data:text/html;base64,AAAA',
    'data:image/svg+xml;base64,AAAA',
    'data:image/svg+xml,%3Csvg onload=alert(1)%3E',
    'data:application/pdf;base64,AAAA',
    'data:,x',
    'DATA:text/html,x',
    ' data:text/html,x',
    'da\tta:text/html,x',
    'd&#97;ta:text/html,x',
    'da\tta:image/png,x',
  ])('takes out what is no image in its place: %j', (src) =>
    expect(safeHtml(`<img src="${src}" alt="a" />`)).not.toMatch(/data|text|svg|onload=/i),
  );

  // Every blank, control and invisible character that HTML can hold.
  const unseen = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code))
    .filter((one) => /[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(one));

  it.each([
    ['before', (one: string) => `${one}javascript:alert(1)`],
    ['in', (one: string) => `java${one}script:alert(1)`],
    ['behind', (one: string) => `javascript${one}:alert(1)`],
    ['all over', (one: string) => ` ${one}\u00a0${[...'JavaScript'].join(one)}${one}:alert(1)`],
  ])('has no script as a link or an image, whatever nobody sees %s its scheme', (_, written) => {
    expect(unseen.length).toBeGreaterThan(4_000);
    // In one document as in many: each address stands in an element of its own.
    for (let at = 0; at < unseen.length; at += 500) {
      const urls = unseen.slice(at, at + 500).map(written);
      const html = urls
        .flatMap((url) => [
          `<a href="${url}">x</a>`,
          `<img src="${url}">`,
          `<a href='${asEntities(url)}'>x</a>`,
        ])
        .join('');
      expect(safeHtml(html)).not.toMatch(/href|src|alert/);
    }
  });

  const asEntities = (text: string): string =>
    [...text].map((one) => `&#x${one.codePointAt(0)!.toString(16)};`).join('');

  it.each([
    'javascript&colon;alert(1)',
    'javascript&#58alert(1)',
    'java&NewLine;script:alert(1)',
    '&nbsp;javascript:alert(1)',
    '&#x3000;vbscript:alert(1)',
    'jаvascript:alert(1)',
    'ｊavascript:alert(1)',
    'file:///etc/passwd',
    'blob:https://x.example/alert',
    'view-source:javascript:alert(1)',
    'data:text/html,alert',
    'ms-word:ofe|u|https://x.example/alert',
    '//x.example/alert',
  ])('has no link but to web, mail and phone: %s', (href) =>
    expect(safeHtml(`<a href="${href}">x</a>`)).toBe('<a>x</a>'),
  );

  it.each([
    'https://x.example/a:b?c:d#e:f',
    'HTTPS://x.example/',
    'http://x.example',
    ' https://x.example/',
    '\u00a0https://x.example/',
    'mailto:ann@x.example?subject=a:b',
    'tel:+12125550100',
    '/a:b',
    './a:b',
    '?a:b',
    '#a:b',
    'a/b',
  ])('keeps a link to web, mail, phone or within the page: %j', (href) =>
    expect(safeHtml(`<a href="${href}">x</a>`)).toBe(`<a href="${href}">x</a>`),
  );

  it('holds the text of the body, not the title', () =>
    expect(
      safeHtml('<html><head><title>T</title><style>p{}</style></head><body><p>x</p></body></html>'),
    ).toBe('<p>x</p>'));

  it.each([
    '<script>alert(1)</script>',
    '<img src="x" onerror="alert(1)" />',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<iframe src="https://x.example"></iframe>',
    '<form action="https://x.example"><input /></form>',
    '<svg onload="alert(1)"></svg>',
    '<p style="width:expression(input)">x</p>',
    '<p style="width:exp/**/ression(input)">x</p>',
    '<p style="width:\\65xpression(input)">x</p>',
    `<a style="background:url('JavaScript:alert(1)')" href="https://x.example">x</a>`,
    '<p style="-moz-binding:url(https://x.example/form)">x</p>',
    '<p style="behavior:url(form.htc)">x</p>',
    `<p style="background:url('java&#10;scri&nbsp;pt:alert(1)')">x</p>`,
  ])('takes the danger out of %s', (html) =>
    expect(safeHtml(html)).not.toMatch(/script|onerror|onload|iframe|form|input/i),
  );

  it('is refused with more than 50,000 tags', async () => {
    expect(safeHtml('<br>'.repeat(50_000))).toBe('<br>'.repeat(50_000));
    await expect(sanitizeHtml('<br>'.repeat(50_001))).rejects.toThrow('must not have more than 50000 tags');
  });

  it('takes a tag that does not end for text, however long it is', () =>
    expect(safeHtml(`<p>x</p>${'<'}${'a'.repeat(400_000)}`)).toBe('<p>x</p>'));
});

describe('the text alternative', () => {
  it.each([
    ['blockquotes', '<blockquote>', '</blockquote>'],
    ['lists', '<ul><li>', '</li></ul>'],
  ])('of %s in one another grows with the HTML, and not with its square', (_, begin, end) => {
    const text = textOf(begin.repeat(240) + 'a<br>'.repeat(2_000) + end.repeat(240));
    expect(text.match(/a/g)).toHaveLength(2_000);
    expect(text.length).toBeLessThan(2_000 * 100);
  });

  it('holds the text and the targets of links', () =>
    expect(textOf('<h1>Hi</h1><p>See <a href="https://x.example/a?b=1&amp;c=2">this</a></p>')).toBe(
      'Hi\n\nSee this https://x.example/a?b=1&c=2',
    ));

  it('keeps the lines of what has no tags, as people type it', () => {
    expect(textOf('Hello,\n\n5 &lt; 6 &amp; so on\r\nBye')).toBe('Hello,\n\n5 < 6 & so on\nBye');
    expect(textOf('<p>Hello,\nyou</p>\nBye')).toBe('Hello, you\n\nBye');
  });

  it('keeps a link apart from the word behind it', () =>
    expect(textOf('<a href="https://x.example/a">これ</a>です, <a href="https://x.example/b">b</a>.')).toBe(
      'これ https://x.example/a です, b https://x.example/b.',
    ));

  it('keeps cells apart, and each row, definition and caption on a line of its own', () => {
    expect(
      textOf(
        '<table><caption>Chairs</caption><tr><th>Number</th><th>Each</th></tr><tr><td>3</td><td>19.99</td></tr></table>',
      ),
    ).toBe('Chairs\nNumber Each\n3 19.99');
    expect(textOf('<center>Dear Grace,</center>it is<dl><dt>blue</dt><dd>and green</dd></dl>')).toBe(
      'Dear Grace,\nit is\nblue\nand green',
    );
  });

  it('says of an image what it is said to show', () =>
    expect(textOf('<p>See <img src="https://x.example/a.png" alt="our chairs"></p>')).toBe('See our chairs'));

  it('keeps the target of a link apart from what it would be taken to go on with', () => {
    const icon = (name: string) =>
      `<a href="https://${name}.example/"><img src="https://x.example/a.png"></a>`;
    expect(textOf(`Us:${icon('b')}${icon('c')}`)).toBe('Us: https://b.example/ https://c.example/');
    expect(textOf('<a href="https://x.example/a">Acme</a>\'s (<a href="https://x.example/b">b</a>).')).toBe(
      "Acme https://x.example/a 's (b https://x.example/b).",
    );
    expect(textOf('<a href="https://x.example/a">https://x.example/a</a>/month')).toBe(
      'https://x.example/a /month',
    );
  });

  it('shows a link that says where it leads once, whatever it stands in', () => {
    for (const element of ['pre', 'p', 'b'])
      expect(
        textOf(`<${element}><a href="https://x.example/a"> <b>https://x</b>.example/a</a></${element}>`),
      ).toBe(element === 'pre' ? ' https://x.example/a' : 'https://x.example/a');
    expect(textOf('<a href="https://x.example/a">https://x.example/ab</a>')).toBe(
      'https://x.example/ab https://x.example/a',
    );
  });
});
