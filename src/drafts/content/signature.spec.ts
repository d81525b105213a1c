import { timesAsLong } from '../../../test/support/costs.js';
import { textOf } from './html.js';
import { signed } from './signature.js';

const SIGNATURE = '<p>Ada Byron<br>Northwind</p>';
const IN_TEXT = '-- \nAda Byron\nNorthwind';

describe('a mail', () => {
  it('ends with the signature, in its text below two dashes and a space', () =>
    expect(signed('<p>Yes, we do.</p>', SIGNATURE)).toEqual({
      html: `<p>Yes, we do.</p><div>${SIGNATURE}</div>`,
      text: `Yes, we do.\n\n${IN_TEXT}`,
    }));

  it('is as it was written without one', () =>
    expect(signed('<p>Yes, we do.</p>', null)).toEqual({ html: '<p>Yes, we do.</p>', text: 'Yes, we do.' }));

  it('that says nothing has the signature alone', () =>
    expect(signed('', SIGNATURE)).toEqual({ html: `<div>${SIGNATURE}</div>`, text: IN_TEXT }));

  it('written without tags keeps its lines', () =>
    expect(signed('Yes,\nwe do.', SIGNATURE).text).toBe(`Yes,\nwe do.\n\n${IN_TEXT}`));

  it('has no dashes in its text for a signature that is a picture alone', () =>
    expect(signed('<p>Yes</p>', '<img src="https://acme.example/logo.png">').text).toBe('Yes'));

  it.each([
    ['<blockquote>Do you?</blockquote>', ''],
    ['<blockquote>Do you?</blockquote>', '<p>On 1 January 2026, Grace Hopper wrote:</p>'],
    [
      '<blockquote><p>Do</p><p>you?</p></blockquote>',
      '<div>On Mon, Jan 5, 2026 at 10:00 AM Grace &lt;grace@navy.example&gt; wrote:<br></div>',
    ],
  ])('has it above what it quotes: %s below %j', (quote, introduction) => {
    const { html, text } = signed(`<div>Yes, we do.</div>${introduction}${quote}`, SIGNATURE);
    expect(html).toBe(`<div>Yes, we do.</div><div>${SIGNATURE}</div>${introduction}${quote}`);
    expect(text).toMatch(/^Yes, we do\.\n\n-- \nAda Byron\nNorthwind\n\n[^]*> Do/);
    expect(text.endsWith('you?')).toBe(true);
  });

  it('has it at its end where it answers between quotes', () => {
    const html = '<blockquote>Do you?</blockquote><p>Yes</p><blockquote>Really?</blockquote><p>Yes</p>';
    expect(signed(html, SIGNATURE).html).toBe(`${html}<div>${SIGNATURE}</div>`);
  });

  it('is signed without a conversion for each of its paragraphs', () => {
    const own = '<p>Yes</p>'.repeat(5_000);
    const html = `${own}<blockquote>Do you?</blockquote>`;
    const conversions = timesAsLong(
      () => signed(html, SIGNATURE),
      () => textOf(html),
    );
    expect(conversions).toBeLessThan(200);
  });
});
