import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { NonEmptyText, Optional, Text } from '#http/input/fields.js';

export class FileResponse {
  /** The file. @example "file_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  file_id!: string;
  /** Its name, in any script. @example "offer.pdf" */
  file_name!: string;
  /** As it was declared, without parameters but `charset`. @example "application/pdf" */
  content_type!: string;
  /** Bytes. @example 48213 */
  @ApiProperty({ type: 'integer', minimum: 0 })
  size!: number;
  /** Hash of the bytes, in hexadecimal. @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" */
  sha256!: string;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** What a folder of its own, or a program that shows it, would take for something else. */
// eslint-disable-next-line no-control-regex -- they are what is refused
const SANE_NAME = /^(?!\.{1,2}$)[^/\\\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*$/;

/** How a file is named. */
export class FileName {
  @NonEmptyText(1_000)
  @Matches(SANE_NAME, {
    message: 'must be a name without a folder, control characters or turns of direction',
  })
  file_name!: string;
}

export class UploadQuery {
  /** Name of the file, in any script. May be left out where a form names it. @example "offer.pdf" */
  @Optional()
  @Text(1_000)
  file_name?: string;
}
