import { positionOf, readPosition } from './position.js';

const LARGEST = { tx: '18446744073709551615', position: '9223372036854775807' };

it('is read back as the place it stands for', () => {
  for (const cursor of [{ tx: '0', position: '0' }, { tx: '742', position: '10' }, LARGEST])
    expect(readPosition(positionOf(cursor))).toEqual(cursor);
});

it('has the same width and, as a string, the order of the feed', () => {
  const places = [
    { tx: '9', position: '100' },
    { tx: '10', position: '2' },
    { tx: '10', position: '10' },
    { tx: '4294967297', position: '1' },
    LARGEST,
  ].map(positionOf);
  expect([...places].sort()).toEqual(places);
  expect(new Set(places.map(({ length }) => length)).size).toBe(1);
});

it.each([
  '',
  '0',
  '1-1',
  'x'.repeat(40),
  `${'1'.repeat(19)}-${'1'.repeat(20)}`,
  `${'9'.repeat(20)}-${'0'.repeat(19)}`,
  `${'0'.repeat(20)}-${'9'.repeat(19)}`,
  ` ${positionOf(LARGEST)}`,
  `${positionOf(LARGEST)}\n`,
  positionOf(LARGEST).replace('-', '_'),
])('%j is none', (text) => {
  expect(readPosition(text)).toBeNull();
});
