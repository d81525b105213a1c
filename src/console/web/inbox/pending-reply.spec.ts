import { type Base, EMPTY, hasMet, isSaved, NOTHING_KEPT } from './pending-reply.js';

const draft = (text: string) => ({ ...EMPTY, text });
const base = (version: number, text: string, response_id = 'resp_1'): Base => ({
  response_id,
  etag: `"${version}"`,
  draft: draft(text),
  body_html: `<p>${text}</p>`,
  kept: NOTHING_KEPT,
});

describe('What one types into a reply', () => {
  it('has met nothing while nobody else writes', () =>
    expect(hasMet(base(1, 'Yes'), base(1, 'Yes'), draft('Yes, blue'))).toBe(false));

  it('has met what another saved', () =>
    expect(hasMet(base(1, 'Yes'), base(2, 'No'), draft('Yes, blue'))).toBe(true));

  it('has met the first text of another', () => expect(hasMet(null, base(1, 'No'), draft('Yes'))).toBe(true));

  it('has met that another sent or discarded it', () =>
    expect(hasMet(base(1, 'Yes'), null, draft('Yes, blue'))).toBe(true));

  it('has met the next reply at the same version', () =>
    expect(hasMet(base(1, 'Yes'), base(1, 'Bye', 'resp_2'), draft('Yes, blue'))).toBe(true));

  it('has met nothing where only the delivery has changed', () =>
    expect(hasMet(base(1, 'Yes'), base(3, 'Yes'), draft('Yes, blue'))).toBe(false));

  it('has met nothing where another wrote the same', () =>
    expect(hasMet(base(1, 'Yes'), base(2, 'Yes, blue'), draft('Yes, blue'))).toBe(false));

  it('is saved where the pending reply says it to the letter', () => {
    expect(isSaved(base(1, 'Yes'), draft('Yes'))).toBe(true);
    expect(isSaved(base(1, 'Yes'), draft('Yes '))).toBe(false);
    expect(isSaved(base(1, 'Yes'), { ...draft('Yes'), close_after_send: true })).toBe(false);
    expect(isSaved(null, EMPTY)).toBe(false);
  });
});
