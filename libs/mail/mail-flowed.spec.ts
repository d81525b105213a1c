import { unflowed } from './mail-flowed.js';

const flow = (lines: string[], deletesSpace = false) =>
  unflowed(lines.join('\n'), { deletesSpace }).split('\n');

describe('text of format=flowed', () => {
  it.each([
    ['goes on where a line ends in a space', ['Blue, ', 'please.'], ['Blue, please.']],
    ['keeps lines that do not', ['Blue,', 'please.'], ['Blue,', 'please.']],
    ['keeps empty lines', ['One ', 'line.', '', 'Another.'], ['One line.', '', 'Another.']],
    [
      'never runs an answer into the question above it',
      ['> What is the price? ', 'It is 5 euro.', '> And the colour?', 'Blue.'],
      ['> What is the price?', 'It is 5 euro.', '> And the colour?', 'Blue.'],
    ],
    ['drops the quote marks in the middle of a line', ['> How ', '> soon?'], ['> How soon?']],
    [
      'keeps empty quoted lines',
      ['> ', '> Hello there, this is a ', '> long line.'],
      ['>', '> Hello there, this is a long line.'],
    ],
    ['tells depths of quotes apart', ['> a ', '>> b ', '> c'], ['> a', '>> b', '> c']],
    ['leaves a signature alone', ['text ', '-- ', 'Ann'], ['text ', '-- ', 'Ann']],
    [
      'takes away the space that stands before a quote mark or From',
      [' >= 5', ' From me'],
      ['>= 5', 'From me'],
    ],
  ])('%s', (_rule, lines, expected) => expect(flow(lines)).toEqual(expected));

  it('has no space where lines meet with DelSp=yes', () =>
    expect(flow(['日本 ', '語です。'], true)).toEqual(['日本語です。']));
});
