import { isTouched } from './touched.js';

const conversation = { type: 'conversation', id: 'conv_1' };

describe('an event touches', () => {
  it.each([
    ['list {"status":"open"}', conversation],
    ['list {"status":"open"}', { type: 'contact', id: 'contact_1' }],
    ['conversation conv_1', conversation],
    ['conversation conv_1', { type: 'contact', id: 'contact_1' }],
    ['messages conv_1', conversation],
    ['comments conv_1', { type: 'comment', id: 'comment_1' }],
    ['reply conv_1', { type: 'draft', id: 'response_1' }],
    ['contact contact_1', { type: 'company', id: 'comp_1' }],
    ['tags', { type: 'tag', id: 'tag_1' }],
  ])('%s: what it may have changed', (key, of) => {
    expect(isTouched(key, of)).toBe(true);
  });

  it('all of whose kind nothing is known', () => {
    expect(isTouched('figures of the week', conversation)).toBe(true);
  });
});

describe('an event leaves alone', () => {
  it.each([
    ['messages conv_2', conversation],
    ['conversation conv_2', conversation],
    ['contact contact_2', { type: 'contact', id: 'contact_1' }],
    ['list {"contact_id":"contact_2"}', { type: 'contact', id: 'contact_1' }],
    ['list {"status":"open"}', { type: 'sale', id: 'sale_1' }],
    ['agents', conversation],
  ])('%s: what is of another record, or of another kind', (key, of) => {
    expect(isTouched(key, of)).toBe(false);
  });
});
