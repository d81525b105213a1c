import { rendered } from './rendering.js';

const values = (name: string) => new Map([['contact.name', name]]);
const bodyOf = async (body_html: string, name: string) =>
  (await rendered({ subject: null, body_html }, values(name))).body_html;
const subjectOf = async (subject: string, name: string) =>
  (await rendered({ subject, body_html: '' }, values(name))).subject;

describe('a rendered body', () => {
  it.each([
    ['<b>Grace</b>', '&lt;b&gt;Grace&lt;/b&gt;'],
    ['Grace & Co', 'Grace &amp; Co'],
    ['&lt;b&gt;', '&amp;lt;b&amp;gt;'],
    ['"Grace"', '&quot;Grace&quot;'],
    ["O'Brien", 'O&#39;Brien'],
    ['{{contact.name}}', '{{contact.name}}'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ])('shows the value %s as text', (name, shown) =>
    expect(bodyOf('<p>Dear {{contact.name}}</p>', name)).resolves.toBe(`<p>Dear ${shown}</p>`),
  );

  it.each([
    ['" onmouseover="alert(1)'],
    ["' onmouseover='alert(1)"],
    ['"><script>alert(1)</script>'],
    ['"><img src=x onerror=alert(1)>'],
  ])('keeps the value %s inside of its attribute', async (name) => {
    const html = await bodyOf('<p title="{{contact.name}}">x</p>', name);
    expect(html).toMatch(/^<p title="[^"<>]*">x<\/p>$/);
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    '&#106;avascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
  ])('has no link to %s', (name) =>
    expect(bodyOf('<a href="{{contact.name}}">x</a>', name)).resolves.not.toMatch(/(java|vb)script:|data:/i),
  );

  it('has links with values in them', () =>
    expect(bodyOf('<a href="https://acme.example/?for={{contact.name}}">x</a>', 'a&b')).resolves.toBe(
      '<a href="https://acme.example/?for=a&amp;b">x</a>',
    ));

  it('has no style that a value makes run', () =>
    expect(bodyOf('<p style="width: {{contact.name}}">x</p>', 'expression(alert(1))')).resolves.toBe(
      '<p>x</p>',
    ));
});

describe('a rendered subject', () => {
  it.each([
    ['line breaks', 'Grace\r\nBcc: boss@navy.example', 'Grace Bcc: boss@navy.example'],
    ['a line separator', 'Grace\u2028Hopper', 'Grace Hopper'],
    ['a paragraph separator', 'Grace\u2029Hopper', 'Grace Hopper'],
    ['a next line', 'Grace\u0085Hopper', 'Grace Hopper'],
    ['NUL', 'Grace\0Hopper', 'Grace Hopper'],
    ['tabs and other controls', 'Grace\t\v\f\u001b[0mHopper', 'Grace [0mHopper'],
    ['HTML, which it keeps', '<b>Grace</b> & Co', '<b>Grace</b> & Co'],
    ['braces, which it keeps', '{{contact.name}}', '{{contact.name}}'],
  ])('is one line, whatever a value holds: %s', (_, name, line) =>
    expect(subjectOf('For {{contact.name}}', name)).resolves.toBe(`For ${line}`),
  );

  it('is one line, whatever the template holds', () =>
    expect(subjectOf('For\nyou', '')).resolves.toBe('For you'));

  it('is null where the template has none', () =>
    expect(rendered({ subject: null, body_html: 'x' }, new Map())).resolves.toMatchObject({ subject: null }));
});

it('what has no value is told once, in the order in which it stands, the subject first', () =>
  expect(
    rendered({ subject: '{{b}} {{c}}', body_html: '<p>{{a}} {{b}} {{a}}</p>' }, new Map([['c', 'Navy']])),
  ).resolves.toEqual({ subject: 'Navy', body_html: '<p>  </p>', missing: ['b', 'a'] }));
