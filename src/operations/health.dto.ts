import { ApiProperty } from '@nestjs/swagger';

export class LiveResponse {
  /** Always ok. @example "ok" */
  status!: string;
}

export class ReadyChecks {
  /** The database answers; 503 when it does not. */
  @ApiProperty({ enum: ['ok'] })
  database!: string;
  /** The database has every migration of this version; 503 when it does not. */
  @ApiProperty({ enum: ['ok'] })
  migrations!: string;
  /** While the queue is `away`, drafts are accepted and delivered all the same, a second or two later. */
  @ApiProperty({ enum: ['ok', 'away'] })
  queue!: string;
  /** `held_back` while an open transaction has kept an event from being read for more than 30 seconds. */
  @ApiProperty({ enum: ['ok', 'held_back'] })
  event_feed!: string;
}

export class ReadyResponse {
  /** `degraded` when requests are answered but something is not as it should be; `checks` says what. */
  @ApiProperty({ enum: ['ok', 'degraded'] })
  status!: string;
  /** What was looked at. */
  checks!: ReadyChecks;
  /** Seconds for which the oldest event that cannot be read yet has waited; 0 when none waits. @example 0.002 */
  watermark_age_seconds!: number;
}
