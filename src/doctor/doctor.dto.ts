import { ApiProperty } from '@nestjs/swagger';
import { BooleanParameter, Optional } from '#http/input/fields.js';

export class ExamineQuery {
  /** Whether to try the credentials of every channel with its provider, which takes up to ten seconds for each that does not answer. */
  @Optional()
  @BooleanParameter()
  @ApiProperty({ default: false })
  channels?: boolean;
}

export class FindingResponse {
  /** What was looked at. @example "disk" */
  check!: string;
  /** `ok`: all is well; `warning`: it may do harm; `error`: something does not work. */
  @ApiProperty({ enum: ['ok', 'warning', 'error'] })
  verdict!: string;
  /** What was found. @example "812 MiB are free for /var/lib/parley, less than 1024" */
  detail!: string;
  /** What to do about it; absent when all is well. @example "Make room, or move PARLEY_DATA_DIR; without room PostgreSQL stops." */
  fix?: string;
}

export class DoctorResponse {
  data!: FindingResponse[];
}
