import { columnsOf } from './contact-columns.js';

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

  it('must have the columns that are mapped', () => {
    expect(() => columnsOf(['name'], new Map([['Remark', 'company_role']]), [])).toThrow(
      'no column "Remark"',
    );
  });
});
