import { isolated, isolating, listed } from './isolated.js';

const [FSI, PDI, RLO] = ['\u2068', '\u2069', '\u202e'];

describe('A name in a sentence', () => {
  it.each(['Ada', 'Zoë 日本', ''])('stands as it is where it turns nothing: %j', (name) =>
    expect(isolated(name)).toBe(name),
  );

  it.each(['ليلى', 'נועה', `Ada${RLO}txt.exe`])('is isolated where it turns: %j', (name) =>
    expect(isolated(name)).toBe(`${FSI}${name}${PDI}`),
  );

  it('cannot end its own isolation', () => expect(isolated(`Ada${PDI}${RLO}`)).toBe(`${FSI}Ada${RLO}${PDI}`));

  it('is isolated by all words, at any depth', () => {
    const words = isolating({
      list: ['a'],
      owner: (name: string) => `Owner: ${name}.`,
      in: { count: (count: number) => `${count} more` },
    });
    expect(words.owner(`A${RLO}`)).toBe(`Owner: ${FSI}A${RLO}${PDI}.`);
    expect(words.in.count(2)).toBe('2 more');
    expect(words.list).toEqual(['a']);
  });

  it('is isolated in a line of several', () =>
    expect(listed(['Ada', null, '', `B${RLO}`], ' · ')).toBe(`Ada · ${FSI}B${RLO}${PDI}`));
});
