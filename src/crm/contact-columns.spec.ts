import { bodyOf, columnsOf } from './contact-columns.js';

const columns = (...header: string[]) => columnsOf(header, new Map(), []);

describe('the header of a file of contacts', () => {
  it('is of fields in any of their names', () => {
    expect(columns('First Name', 'E-mail', 'Phone').map((column) => column?.field)).toEqual([
      'first_name',
      'email',
      'phone_number',
    ]);
  });

  it.each([
    ['a column that nobody knows', ['name', 'nonsense'], '"nonsense" is no field'],
    ['two columns for one field', ['email', 'e-mail'], 'several columns for email'],
    ['no column', [], 'no column'],
  ])('cannot have %s', (_, header, reason) => {
    expect(() => columns(...header)).toThrow(reason);
  });

  it('may have blank titles, which are no columns', () => {
    expect(columns('name', '', ' ', '\u200b', 'email', '').map((column) => column?.field)).toEqual([
      'name',
      undefined,
      undefined,
      undefined,
      'email',
      undefined,
    ]);
    expect(() => columns('', '')).toThrow('no column');
  });

  it('must have the columns that are mapped', () => {
    expect(() => columnsOf(['name'], new Map([['Remark', 'company_role']]), [])).toThrow(
      'no column "Remark"',
    );
  });
});

describe('a row of a file of contacts', () => {
  const definitions = [{ key: 'score', label: 'Score', type: 'number' }];
  const read = (text: string) => bodyOf(columnsOf(['Score'], new Map(), definitions), [text]);

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740994', 9007199254740994],
    ['-9007199254740992', -9007199254740992],
    ['0.1', 0.1],
    ['-1.50', -1.5],
    ['007', 7],
    ['0', 0],
    ['0.00', 0],
    ['0.000000123', 0.000000123],
    [`1${'0'.repeat(300)}`, 1e300],
  ])('has in a field of type number %s as it is', (text, number) =>
    expect(read(text)).toEqual({ custom_fields: { score: number } }),
  );

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '123456789012345678901234',
    '0.12345678901234567890',
    '0.1000000000000000055511151231257827',
    '9007199254740992.5',
    '1.0000000000000000000000001',
    `1${'0'.repeat(400)}`,
    `0.${'0'.repeat(400)}1`,
  ])('is refused with %s for a number, which no number is', (text) =>
    expect(() => read(text)).toThrow('has more digits than a number can hold'),
  );

  it('has nothing where a cell holds only what nobody sees', () =>
    expect(bodyOf(columnsOf(['name', 'email'], new Map(), []), ['\u200b\u00a0', 'a@x.example'])).toEqual({
      email: 'a@x.example',
    }));
});
