import { known, UnknownNames } from './known.js';

it('lists each name once, in alphabetical order', () => {
  expect(known(['limit', 'agent_id', 'limit'])).toBe('known are agent_id, limit');
});

it('says that there are none', () => expect(known([])).toBe('there are none'));

it('lists 4,000 characters of names at most, and says how many more there are', () => {
  const names = Array.from({ length: 50 }, (_, nr) => String(nr).padStart(98, '0'));
  expect(known(names)).toBe(`known are ${names.slice(0, 40).join(', ')} and 10 more`);
});

it('tells the first 20 refused names alone what is known', () => {
  const unknown = new UnknownNames('is not known');
  const details = Array.from({ length: 22 }, () => unknown.detail(['a']));
  expect(details.slice(0, 20)).toEqual(Array(20).fill('is not known; known are a'));
  expect(details.slice(20)).toEqual(['is not known', 'is not known']);
});
