import fc from 'fast-check';
import { given } from '../../test/support/given.js';
import { sameNameKey, tag } from './tag.js';

const at = '2026-01-01T00:00:00.000000Z';
const told = { tag_id: 'tag_1', name: 'VIP', colour: '#1e90ff', created_at: at };
const created = { type: 'TagCreated' as const, data: told };

describe('a tag', () => {
  it('is created with its name and colour', () =>
    given(tag, [])
      .when({ type: 'CreateTag', ...told })
      .then(created));

  it.each([
    ['its name', { name: 'Key account' }, { name: 'Key account' }],
    ['its colour', { colour: null }, { colour: null }],
    ['only what is new', { name: 'VIP', colour: '#000000' }, { colour: '#000000' }],
    ['its name by case alone', { name: 'vip' }, { name: 'vip' }],
  ])('changes %s', (_, changes, data) =>
    given(tag, [created]).when({ type: 'ChangeTag', changes }).then({ type: 'TagChanged', data }),
  );

  it('does not change by what it is already', () =>
    given(tag, [created])
      .when({ type: 'ChangeTag', changes: { name: 'VIP', colour: '#1e90ff' } })
      .then());

  it('is deleted', () =>
    given(tag, [created]).when({ type: 'DeleteTag' }).then({ type: 'TagDeleted', data: {} }));

  it('that is renamed has the keys of its new name', () => {
    const state = tag.evolve(tag.evolve(null, created), { type: 'TagChanged', data: { name: 'Été' } });
    expect(state).toMatchObject({ name: 'Été', colour: '#1e90ff', name_key: 'été', order_key: 'ete' });
  });
});

it.each([
  ['VIP', 'vip', true],
  ['Straße', 'STRASSE', true],
  ['caf\u00e9', 'CAFE\u0301', true],
  [' VIP', 'VIP ', true],
  ['café', 'cafe', false],
  ['V I P', 'VIP', false],
  ['ＶＩＰ', 'vip', true],
  ['ﬁnance', 'FINANCE', true],
  ['VIP\u200b', 'VIP', true],
  ['V\u00adI\u2060P\ufeff', 'VIP', true],
  ['VI\u200dP', 'VIP', true],
  ['VIP\u3164', 'VIP', true],
  ['\u2800VIP', 'VIP', true],
  ['VIP\u200f', 'VIP', true],
  ['VIP\u00a0client', 'VIP client', true],
  ['ｶﾞｲﾄﾞ', 'ガイド', true],
  ['❤\ufe0f', '❤', true],
  ['👨\u200d👩\u200d👧', '👨👩👧', false],
  ['❤\ufe0f\u200d🔥', '❤\u200d🔥', true],
  ['❤\ufe0f\u200d🔥', '❤🔥', false],
  ['👍🏽\u200d🔥', '👍🏽🔥', false],
  ['👍🏽', '👍', false],
  ['👍\u200d', '👍', true],
  ['\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', '\u{1f3f4}', false],
  ['VIP\u{e0067}\u{e007f}', 'VIP', true],
  ['Ⅷ', 'viii', true],
  ['ΟΔΟΣ', 'οδοσ', true],
])('%j and %j are the same name: %s', (one, other, isSame) =>
  expect(sameNameKey(one) === sameNameKey(other)).toBe(isSame),
);

it('a key is that of itself, whatever the name', () =>
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(
          fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
          fc.constantFrom('\u200d', '\ufe0f', '❤', '👨', 'ſ', ' '),
        ),
      }),
      (name) => expect(sameNameKey(sameNameKey(name))).toBe(sameNameKey(name)),
    ),
  ));
