import { timesAsLong } from '../../test/support/costs.js';
import { customName, filled, NAMES, problemsOf } from './placeholders.js';

const KNOWN: ReadonlySet<string> = new Set([...NAMES, customName('contract_end')]);

describe('a placeholder', () => {
  it.each([
    ...NAMES.map((name) => `Dear {{${name}}},`),
    '{{contact.custom_fields.contract_end}}',
    '{{ contact.name }}',
    '{{\n\tcontact.name\n}}',
    '{{contact.name}}{{contact.name}}',
    '{{contact.name}}}',
    '<a href="mailto:{{contact.email}}">{{contact.email}}</a>',
    'no placeholder',
    'single { braces } and }} alone',
    '',
  ])('may be a known name: %j', (text) => expect(problemsOf(text, KNOWN)).toEqual([]));

  it.each([
    ['an unknown name', '{{contact.nmae}}', '{{contact.nmae}} is no known name'],
    ['a part of a name', '{{contact}}', '{{contact}} is no known name'],
    ['a longer name', '{{contact.name.first}}', '{{contact.name.first}} is no known name'],
    ['a name in capitals', '{{Contact.Name}}', '{{Contact.Name}} is no known name'],
    ['a name in two words', '{{contact .name}}', '{{contact .name}} is no known name'],
    [
      'an unknown custom field',
      '{{contact.custom_fields.x}}',
      '{{contact.custom_fields.x}} is no known name',
    ],
    ['no custom field', '{{contact.custom_fields.}}', '{{contact.custom_fields.}} is no known name'],
    ['nothing', '{{}}', '{{}} is no known name'],
    ['white space', '{{  }}', '{{  }} is no known name'],
    ['the value around it', '{{.}}', '{{.}} is no known name'],
    ['what every object has', '{{constructor}}', '{{constructor}} is no known name'],
    ['what every object is made from', '{{__proto__}}', '{{__proto__}} is no known name'],
    ['what a name has', '{{contact.name.constructor}}', '{{contact.name.constructor}} is no known name'],
    ['a name in HTML', '{{<b>contact.name</b>}}', '{{<b>contact.name</b>}} is no known name'],
    ['a name with a space of HTML', '{{contact.name&nbsp;}}', '{{contact.name&nbsp;}} is no known name'],
    ['a name in braces of its own', '{{ {contact.name} }}', '{{ {contact.name} }} is not escaped'],
    ['a section', '{{#contact.name}}x{{/contact.name}}', '{{#contact.name}} is a section'],
    ['an inverted section', '{{^contact.name}}x{{/contact.name}}', '{{^contact.name}} is a section'],
    ['the end of a section', '{{/contact.name}}', '{{/contact.name}} is the end of a section'],
    ['a partial', '{{>footer}}', '{{>footer}} is a partial'],
    ['an unescaped name', '{{{contact.name}}}', '{{{contact.name}}} is not escaped'],
    ['an unescaped name by a sign', '{{&contact.name}}', '{{&contact.name}} is not escaped'],
    ['other delimiters', '{{=<% %>=}}<%contact.name%>', '{{=<% %>=}} is a change of delimiters'],
    ['wrong delimiters', '{{=x=}}', '{{=x=}} is a change of delimiters'],
    ['a comment', '{{! for Ada }}', '{{! for Ada }} is a comment'],
    ['a sign after white space', '{{ # contact.name }}', '{{ # contact.name }} is a section'],
    ['an open tag', 'Dear {{contact.name', '{{contact.name is not closed by }}'],
    ['an open tag of one brace', 'Dear {{contact.name}', '{{contact.name} is not closed by }}'],
    [
      'an open tag before another',
      '{{contact.name {{contact.email}}',
      '{{contact.name {{contact.email}} is no',
    ],
    ['two braces alone', '{{', '{{ is not closed by }}'],
    ['three braces alone', '{{{', '{{{ is not closed by }}'],
  ])('is refused by name where it is %s', (_, text, problem) =>
    expect(problemsOf(text, KNOWN)[0]).toMatch(
      new RegExp(`^${problem.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`),
    ),
  );

  it('is refused once, and told which names are known', () =>
    expect(problemsOf('{{a}} {{b}} {{a}} {{contact.name}}', new Set(['contact.name']))).toEqual([
      '{{a}} is no known name; known are contact.name',
      '{{b}} is no known name; known are contact.name',
    ]));

  it('is told in a refusal by its first hundred characters', () =>
    expect(problemsOf(`{{${'x'.repeat(5_000)}}}`, new Set())[0]).toHaveLength(
      100 + '… is no known name; there are none'.length,
    ));

  it('stands for at most a thousand values of one text', () => {
    expect(problemsOf('{{contact.name}}'.repeat(1_000), KNOWN)).toEqual([]);
    expect(problemsOf('{{contact.name}}'.repeat(1_001), KNOWN)).toEqual([
      'must not have more than 1000 placeholders',
    ]);
  });

  it.each([
    ['open tags', '{{'.repeat(500_000)],
    ['white space in a tag', `{{a${' '.repeat(999_000)}b}}`],
    ['white space before its end', `{{${' '.repeat(999_000)}`],
    ['braces', '{'.repeat(1_000_000)],
    ['tags', '{{a}}'.repeat(200_000)],
    ['tags without a sign', '{{contact.name}} x '.repeat(50_000)],
    ['text', 'x '.repeat(500_000)],
  ])('is looked for with each character read a few times, in a million of %s', (_, text) => {
    const readings = timesAsLong(
      () => problemsOf(text, KNOWN),
      () => text.split(''),
    );
    expect(readings).toBeLessThan(100);
  });
});

describe('filling', () => {
  const values = new Map([
    ['contact.name', 'Grace'],
    ['company.name', ' \u200b'],
  ]);

  it('writes each value as it is told to', () =>
    expect(filled('Dear {{contact.name}}, {{ contact.name }}!', values, (value) => `*${value}*`)).toEqual({
      text: 'Dear *Grace*, *Grace*!',
      missing: [],
    }));

  it('leaves out what has no value, or a blank one, and tells of it', () =>
    expect(filled('{{contact.email}}|{{company.name}}|{{contact.name}}', values, String)).toEqual({
      text: '||Grace',
      missing: ['contact.email', 'company.name'],
    }));

  it('never reads a value as a template', () => {
    const hostile = new Map([
      ['contact.name', '{{company.name}} {{{company.name}}} $& $1'],
      ['company.name', 'Navy'],
    ]);
    expect(filled('{{contact.name}}', hostile, String).text).toBe(hostile.get('contact.name'));
  });
});
