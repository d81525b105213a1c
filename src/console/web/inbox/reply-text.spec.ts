import { isFormatted, toHtml, toText } from './reply-text.js';

describe('the text of a reply', () => {
  it('becomes paragraphs and lines, with nothing in it that is markup', () =>
    expect(toHtml('Dear <Ada>,\n\none & two\n"three"\n')).toBe(
      '<p>Dear &lt;Ada&gt;,</p><p>one &amp; two<br>&quot;three&quot;</p>',
    ));

  it.each(['Dear <Ada>,\n\none & two\n"three"', '&lt;p&gt;', 'Grüße 😀\n\n\u00A0x'])(
    'comes back as it was: %j',
    (text) => expect(toText(toHtml(text))).toBe(text),
  );

  it('is read out of any markup', () =>
    expect(toText('<div>One</div>\n<ul><li>two &#8364;</li>\n<li>three</li></ul><script>')).toBe(
      'One\n\ntwo €\n\nthree',
    ));

  it('keeps its lines where it has no markup at all', () =>
    expect(toText('One &lt; two\nthree')).toBe('One < two\nthree'));

  it('is formatted when it has more than paragraphs', () => {
    expect(isFormatted('<p>a<br>b</p>')).toBe(false);
    expect(isFormatted('<p><b>a</b></p>')).toBe(true);
  });
});
