import { isId } from '#kernel/id.js';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  isEmail,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Max,
  Min,
  registerDecorator,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { addressesIn } from '#kernel/address.js';
import { isCalendarDate, parseInstant } from '#kernel/instant.js';
import { AMOUNT, isAmount } from '#kernel/money.js';
import { Gathered, MOST_ITEMS, NestedInput, Read } from './input.js';

/** The longest text of a plain field, in characters (code points). */
const PLAIN = 1_000;
/** The longest `notes`, `content` or `body_html`. */
export const LONG = 1_000_000;

/** May be left out; null is refused. */
export const Optional = () => ValidateIf((_, value) => value !== undefined);

/** May be left out or null. */
export const OptionalNullable = () => ValidateIf((_, value) => value !== undefined && value !== null);

/** A string of at most `max` characters. */
export const Text = (max = PLAIN) =>
  applyDecorators(
    IsString(),
    // class-validator's MaxLength does not count variation selectors, and a text may consist of them.
    rule(
      'maxCharacters',
      (value) => typeof value !== 'string' || value.length <= max || [...value].length <= max,
      `must be at most ${max} characters long`,
    ),
    ApiProperty({ maxLength: max }),
  );

/** A string that is not empty, nor only white space. */
export const NonEmptyText = (max = PLAIN) =>
  applyDecorators(
    Text(max),
    rule('nonEmpty', (value) => typeof value !== 'string' || value.trim() !== '', 'must not be empty'),
  );

/** One of these words. */
export const OneOf = (...words: string[]) =>
  applyDecorators(
    IsIn(words, { message: `must be one of ${words.join(', ')}` }),
    ApiProperty({ enum: words }),
  );

/**
 * Some of these words in a query: the parameter may be given more than once, or with words separated by commas. The property is
 * an array.
 */
export const WordsParameter = (...words: string[]) =>
  applyDecorators(
    Read((value) => {
      const given: unknown[] = [value].flat();
      return given.flatMap((one) =>
        typeof one === 'string' ? one.split(',').map((word) => word.trim()) : one,
      );
    }),
    IsIn(words, { each: true, message: `must be one of ${words.join(', ')}` }),
    // Not of the property's type: one word alone is no array.
    ApiProperty({
      schema: {
        oneOf: [
          { type: 'string', enum: words },
          { type: 'array', minItems: 1, maxItems: MOST_ITEMS, items: { type: 'string', enum: words } },
        ],
      },
    } as never),
  );

/** A JSON object with any keys. */
export const FreeObject = () =>
  applyDecorators(
    IsObject({ message: 'must be a JSON object' }),
    ApiProperty({ type: 'object', additionalProperties: true }),
  );

/** Documents a value of any JSON type. */
export const ApiAnyValue = (options: { example?: unknown } = {}) =>
  ApiProperty({
    ...options,
    anyOf: [
      ...['string', 'number', 'boolean', 'null'].map((type) => ({ type })),
      { type: 'object', additionalProperties: true },
      { type: 'array', items: {} },
    ],
  });

/** An object (or with `each`, an array of objects) of a DTO class. */
export const Nested = (type: () => new () => object, each = false) =>
  applyDecorators(
    NestedInput(type),
    each
      ? rule(
          'objects',
          (value) => Array.isArray(value) && value.every(isPlainObject),
          'must be an array of JSON objects',
        )
      : IsObject({ message: 'must be a JSON object' }),
    ValidateNested({ each }),
  );

/** An RFC 3339 date-time with a zone, normalised to UTC with microseconds. */
export const InstantField = () =>
  applyDecorators(
    Read((value) => (typeof value === 'string' ? (parseInstant(value) ?? value) : value)),
    rule(
      'instant',
      (value) => typeof value === 'string' && parseInstant(value) !== null,
      'must be an RFC 3339 date-time with Z or an offset, such as 2026-01-02T03:04:05.678901Z',
    ),
    ApiProperty({ format: 'date-time', maxLength: 32 }),
  );

/** A calendar date of the years 0001 to 9999. */
export const DateField = () =>
  applyDecorators(
    rule('date', isDate, 'must be a calendar date such as 2026-03-31'),
    ApiProperty({ format: 'date', maxLength: 10 }),
  );

function isDate(value: unknown): boolean {
  const parts = typeof value === 'string' ? /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) : null;
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  return year > 0 && isCalendarDate(year, month, day);
}

/** A whole number from `min` to `max` in a query. */
export const IntegerParameter = (min: number, max: number) =>
  applyDecorators(
    Read((value) => (typeof value === 'string' && /^-?\d{1,12}$/.test(value) ? Number(value) : value)),
    IsInt({ message: 'must be a whole number' }),
    Min(min, { message: `must be at least ${min}` }),
    Max(max, { message: `must be at most ${max}` }),
    ApiProperty({ type: 'integer', minimum: min, maximum: max }),
  );

/** `true` or `false` in a query. */
export const BooleanParameter = () =>
  applyDecorators(
    Read((value) => (value === 'true' ? true : value === 'false' ? false : value)),
    IsBoolean({ message: 'must be true or false' }),
    ApiProperty({ type: 'boolean' }),
  );

/** Texts by key in a query, each in a parameter `property[key]`. */
export const TextsByKeyParameter = () =>
  applyDecorators(
    Gathered(),
    rule(
      'textsByKey',
      (value) =>
        isPlainObject(value) &&
        Object.values(value as object).every((one) => typeof one === 'string' && one.length <= PLAIN),
      `must be given as custom_fields[key]=value, each key once, with at most ${PLAIN} characters`,
    ),
    ApiProperty({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: PLAIN },
      // Without it, Swagger UI asks for a made-up key.
      example: {},
      ...({ style: 'deepObject', explode: true } as object),
    }),
  );

/** An amount of 0 or more as decimal text with at most 4 decimals. */
export const AmountField = () =>
  applyDecorators(
    rule('amount', isAmount, 'must be decimal text of 0 or more with at most 4 decimals, such as "99.50"'),
    ApiProperty({ pattern: AMOUNT }),
  );

/** An e-mail address; the empty string counts as absent. */
export const EmailField = () =>
  applyDecorators(
    Text(),
    rule('email', (value) => value === '' || isEmailAddress(value), 'must be an e-mail address'),
    ApiProperty({ format: 'email' }),
  );

/** An e-mail address, or several separated by commas; the empty string counts as absent. */
export const EmailsField = () =>
  applyDecorators(
    Text(),
    rule(
      'emailsInText',
      (value) => value === '' || (typeof value === 'string' && areEmailAddresses(addressesIn(value))),
      'must be an e-mail address, or several separated by commas',
    ),
  );

const areEmailAddresses = (found: string[]): boolean => found.length > 0 && found.every(isEmailAddress);

/** Up to 100 e-mail addresses. */
export const EmailListField = () =>
  applyDecorators(
    IsArray({ message: 'must be an array' }),
    ArrayMaxSize(100),
    rule(
      'emails',
      (value) => !Array.isArray(value) || value.every(isEmailAddress),
      'must hold e-mail addresses only',
    ),
    // 64 before the @ and 254 behind it, in bytes.
    ApiProperty({ type: 'array', maxItems: 100, items: { type: 'string', format: 'email', maxLength: 319 } }),
  );

/** Ids of one kind, each once. */
export const IdListField = (kind: string, max: number) =>
  applyDecorators(
    IsArray({ message: 'must be an array' }),
    ArrayMaxSize(max),
    rule(
      'ids',
      (value) =>
        !Array.isArray(value) ||
        (value.every((one) => isId(kind, one)) && new Set(value).size === value.length),
      `must hold ids of the kind ${kind} only, each once`,
    ),
    ApiProperty({
      type: 'array',
      maxItems: max,
      items: { type: 'string' },
    }),
  );

/** A phone number as people write it; the empty string counts as absent. */
export const PhoneField = () =>
  applyDecorators(
    Text(),
    rule(
      'phone',
      (value) => value === '' || isPhoneNumber(value),
      'must be a phone number: 5 to 20 digits, with spaces, dots, dashes, parentheses, a leading + and an extension allowed',
    ),
  );

/** Whether mail can be sent to this address (RFC 5321 form, UTF-8 local part allowed), at a domain with a dot. */
export const isEmailAddress = (value: unknown): value is string =>
  typeof value === 'string' &&
  // validator cannot measure ill-formed text in bytes.
  value.isWellFormed() &&
  // In quotes, validator accepts these, but no server does; and characters that nobody sees (Cf) anywhere.
  !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>]/u.test(value) &&
  isEmail(value, { allow_utf8_local_part: true, require_tld: false }) &&
  value.includes('.', value.lastIndexOf('@'));

const PHONE = /^\+?[().-]*\d[\d().-]*(?:(?:x|ext)[.:]*\d+)?$/i;

/** With spaces of any width, no tabs or line breaks. */
export const isPhoneNumber = (value: unknown): value is string => {
  if (typeof value !== 'string' || !PHONE.test(value.replace(/\p{Zs}/gu, ''))) return false;
  const digits = value.replace(/\D/g, '').length;
  return digits >= 5 && digits <= 20;
};

const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A class-validator rule from a predicate. */
export function rule(name: string, holds: (value: unknown) => boolean, message: string): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: propertyName as string,
      options: { message },
      validator: { validate: holds },
    });
}
