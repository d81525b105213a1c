import { ApiProperty } from '@nestjs/swagger';

export class LiveResponse {
  /** Always ok. @example "ok" */
  status!: string;
  /** The version of Parley that runs. @example "0.1.0" */
  version!: string;
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
  /**
   * `away` while no worker has given a sign of life for ten seconds, or the only one has ended. Requests are answered all the
   * same; drafts, webhooks and analytics wait for a worker.
   */
  @ApiProperty({ enum: ['ok', 'away'] })
  workers!: string;
}

export class ReadyWorkers {
  /** Workers that have given a sign of life in the last ten seconds. @example 2 */
  count!: number;
  /** Seconds since the latest sign of life of any worker; null when there is none. @example 0.8 */
  heartbeat_age_seconds!: number | null;
}

export class ReadyResponse {
  /** `degraded` when requests are answered but something is not as it should be; `checks` says what. */
  @ApiProperty({ enum: ['ok', 'degraded'] })
  status!: string;
  /** What was looked at. */
  checks!: ReadyChecks;
  /** The processes that deliver, send to webhooks and keep read models up to date; an all-in-one process is one. */
  workers!: ReadyWorkers;
  /** Seconds for which the oldest event that cannot be read yet has waited; 0 when none waits. @example 0.002 */
  watermark_age_seconds!: number;
}
