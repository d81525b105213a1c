import { RuleViolation } from '#kernel/decider.js';
import { isBlank } from '#kernel/unseen.js';

type Value = string | number | boolean;

/** A field of a new contact, or `custom_fields.<key>`; null for a column to skip. */
export type Column = { field: string; read: (text: string) => Value } | null;

interface Definition {
  key: string;
  label: string;
  type: string;
}

const FIELDS: Record<string, string[]> = {
  name: ['name', 'fullname', 'contact', 'contactname', 'displayname'],
  first_name: ['firstname', 'givenname', 'forename'],
  last_name: ['lastname', 'familyname', 'surname'],
  email: ['email', 'emailaddress', 'mail', 'email1value', 'primaryemail'],
  phone_number: [
    'phonenumber',
    'phone',
    'tel',
    'telephone',
    'mobile',
    'mobilephone',
    'phone1value',
    'primaryphone',
  ],
  company_id: ['companyid'],
  company_role: ['companyrole', 'role', 'jobtitle', 'position'],
};

/**
 * The field of each column: as mapped, else by its header, which may be a field, or the key or label of a custom field. `-`
 * skips a column, and so does a blank title, as spreadsheets leave behind. Throws for columns that are unknown or come twice, naming all of them.
 */
export function columnsOf(
  header: string[],
  mapping: ReadonlyMap<string, string>,
  definitions: Definition[],
): Column[] {
  const problems: string[] = [];
  const columns = header.map((title): Column => {
    if (isBlank(title)) return null;
    const target = mapping.get(title.trim()) ?? title;
    if (target === '-') return null;
    const column = columnOf(target, definitions);
    if (!column)
      problems.push(`${JSON.stringify(title)} is no field of a contact; map it, or leave it out with -`);
    return column;
  });
  const fields = columns.flatMap((column) => (column ? [column.field] : []));
  for (const field of new Set(fields.filter((one, index) => fields.indexOf(one) < index)))
    problems.push(`there are several columns for ${field}`);
  for (const title of mapping.keys())
    if (!header.some((one) => one.trim() === title))
      problems.push(`there is no column ${JSON.stringify(title)}`);
  if (fields.length === 0) problems.push('there is no column to take in');
  if (problems.length > 0) throw new Error(`The header cannot be used: ${problems.join('; ')}.`);
  return columns;
}

function columnOf(title: string, definitions: Definition[]): Column {
  const key = title.toLowerCase().replace(/[^a-z0-9]/g, '');
  const field = Object.keys(FIELDS).find((name) => FIELDS[name]!.includes(key));
  if (field !== undefined) return { field, read: (text) => text };
  const wanted = title
    .trim()
    .replace(/^custom_fields\./, '')
    .toLowerCase();
  const custom = definitions.find((one) => one.key === wanted || one.label.trim().toLowerCase() === wanted);
  if (!custom) return null;
  const customField = `custom_fields.${custom.key}`;
  return { field: customField, read: readerOf(custom.type, customField) };
}

/**
 * Text that is no value of the type stays text; the field's definition then refuses it. Throws for a number whose digits a
 * double does not hold: it would come out as another one.
 */
const readerOf =
  (type: string, field: string) =>
  (text: string): Value => {
    if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) {
      const number = Number(text);
      if (digitsOf(String(number)) === digitsOf(text)) return number;
      throw new RuleViolation('validation_failed', `${text} has more digits than a number can hold`, field);
    }
    if (type === 'boolean' && /^(true|yes|1)$/i.test(text)) return true;
    if (type === 'boolean' && /^(false|no|0)$/i.test(text)) return false;
    return text;
  };

/** The digits of a decimal number and the power of ten behind them, the same however it is written; empty for no number. */
function digitsOf(text: string): string {
  const [found, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text) ?? [];
  if (found === undefined) return '';
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return end === 0
    ? '0'
    : `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

/** The body to create a row's contact; empty cells are left out. */
export function bodyOf(columns: Column[], cells: string[]): Record<string, unknown> {
  const body: Record<string, Value> = {};
  const custom_fields: Record<string, Value> = {};
  columns.forEach((column, index) => {
    const text = (cells[index] ?? '').trim();
    if (!column || isBlank(text)) return;
    const [, key] = /^custom_fields\.(.*)$/.exec(column.field) ?? [];
    if (key === undefined) body[column.field] = column.read(text);
    else custom_fields[key] = column.read(text);
  });
  const { first_name, last_name, ...rest } = body;
  const name = rest['name'] ?? [first_name, last_name].filter((part) => part !== undefined).join(' ');
  return {
    ...rest,
    ...(name !== '' && { name }),
    ...(Object.keys(custom_fields).length > 0 && { custom_fields }),
  };
}
