import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { OptionalNullable, rule, Text } from '../input/fields.js';

const MOST_KEYS = 50;
const LONGEST_KEY = 40;
const LONGEST_VALUE = 500;

const METADATA = { erp_region: 'north' };

/** An external id: 1 to 1,000 characters, compared exactly. */
export const ExternalIdField = () =>
  applyDecorators(
    Text(),
    rule('notEmpty', (value) => value !== '', 'must be at least 1 character long'),
    ApiProperty({ minLength: 1 }),
  );

const MetadataField = () =>
  applyDecorators(
    rule(
      'metadata',
      isMetadata,
      `must be a JSON object of at most ${MOST_KEYS} keys of 1 to ${LONGEST_KEY} characters, with texts of at most ${LONGEST_VALUE} characters`,
    ),
    ApiProperty({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: LONGEST_VALUE },
      maxProperties: MOST_KEYS,
      example: METADATA,
    }),
  );

function isMetadata(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value as Record<string, unknown>);
  return (
    entries.length <= MOST_KEYS &&
    entries.every(
      ([key, text]) =>
        key !== '' && fits(key, LONGEST_KEY) && typeof text === 'string' && fits(text, LONGEST_VALUE),
    )
  );
}

const fits = (text: string, most: number): boolean => text.length <= most || [...text].length <= most;

/** What a record shows of another system's. */
export class ExternalReferenceResponse {
  /** Your own id for the record. @example "crm-4711" */
  @ApiProperty({ type: String, nullable: true })
  external_id!: string | null;
  /** Texts of your own by key. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: METADATA })
  metadata!: Record<string, string>;
}

/** What a record takes of another system's. */
export class ExternalReferenceBody {
  /** Your own id for the record, compared exactly; no other record of the kind may have it. */
  @OptionalNullable()
  @ExternalIdField()
  external_id?: string | null;
  /** Texts of your own by key, in place of those before: at most 50, of 500 characters each. */
  @OptionalNullable()
  @MetadataField()
  metadata?: Record<string, string> | null;
}

/** The external id in a path. */
export class PathExternalId {
  @ExternalIdField()
  external_id!: string;
}
