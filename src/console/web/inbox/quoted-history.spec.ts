import { newText } from './quoted-history.js';

const of = (content: string, new_content: string | null = null) => newText({ content, new_content });

describe('what the writer added', () => {
  it('is what the service found', () => expect(of('a\n> b', 'a')).toBe('a'));

  it('ends above the quotation and the line that introduces it', () =>
    expect(of('Yes.\n\nOn Tue, 24 Nov 2026 at 10:00, Ada wrote:\n> Blue?\n>\n> Ada\n')).toBe('Yes.'));

  it('is all of a text that ends without a quotation', () =>
    expect(of('> Blue?\n\nYes.')).toBe('> Blue?\n\nYes.'));

  it('is all of a text that is but a quotation', () => expect(of('> Blue?')).toBe('> Blue?'));
});
