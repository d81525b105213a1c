import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Optional, Text, WordsParameter } from '#http/input/fields.js';
import { Timezone } from '../../workspace/workspace.contract.js';
import { type Interval, INTERVALS } from '../facts/calendar.js';
import {
  AgentConversationFigures,
  ModalityStats,
  PipelineStage,
  ResponseRateStats,
  ResponseTimeStats,
  SaleFigures,
  VolumeStats,
  WindowQuery,
} from '../figures/analytics.dto.js';

export const METRICS = ['volume', 'response_rate', 'response_time', 'modality', 'sales'] as const;
export type Metric = (typeof METRICS)[number];

/** The most buckets of a series. */
export const MOST_BUCKETS = 400;

export class SeriesQuery extends WindowQuery {
  /** The figures to show; all when left out. May be given more than once, or with words separated by commas. */
  @Optional()
  @WordsParameter(...METRICS)
  metric?: string[];

  /**
   * How long a bucket is by the calendar. Weeks begin on Monday. A window may have 400 buckets at most. @example "day"
   */
  @OneOf(...INTERVALS)
  interval!: Interval;

  /** The IANA time zone of the calendar; the organization's when left out. */
  @Optional()
  @Text()
  @Timezone()
  time_zone?: string;
}

/** The figures of one interval, each as it is for a window from `start_date` to `end_date`. */
export class BucketResponse {
  /** Beginning of the bucket, included: where the calendar begins an interval, or the window's own. @example "2026-01-01T00:00:00.000000Z" */
  @ApiProperty({ format: 'date-time' })
  start_date!: string;
  /** End of the bucket, excluded: the next one's beginning, or the window's end. @example "2026-01-02T00:00:00.000000Z" */
  @ApiProperty({ format: 'date-time' })
  end_date!: string;
  /** With `volume`: how many messages and conversations there were. */
  volumeStats?: VolumeStats;
  /** With `response_rate`: how many conversations were answered. */
  responseRateStats?: ResponseRateStats;
  /** With `response_time`: how fast. */
  responseTimeStats?: ResponseTimeStats;
  /** With `modality`: how the conversations began. */
  modalityStats?: ModalityStats;
  /** With `sales`: the stages in their order. */
  pipeline?: PipelineStage[];
  /** With `sales`: of the sales created in the bucket, the share that was ever accepted; 0 when there are none. @example 0.25 */
  salesRate?: number;
}

export class SeriesResponse {
  /** The interval asked for. */
  @ApiProperty({ enum: INTERVALS })
  interval!: Interval;
  /** The time zone of the calendar. @example "Europe/Berlin" */
  time_zone!: string;
  /** The buckets in their order; together they are the window. */
  @ApiProperty({ maxItems: MOST_BUCKETS })
  buckets!: BucketResponse[];
  /** The instant up to which everything is counted. */
  @ApiProperty({ format: 'date-time' })
  as_of!: string;
}

/** What an agent sent, and how the sales that the agent owns went. */
export class AgentFiguresResponse {
  /** The agent. @example "agent_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  agent_id!: string;
  /** The agent's name. @example "Ada Byron" */
  name!: string;
  /** What the agent sent. */
  conversations!: AgentConversationFigures;
  /** The sales that the agent owns. */
  sales!: SaleFigures;
}

export class AgentsFiguresResponse {
  /** All agents of the organization, newest first. */
  data!: AgentFiguresResponse[];
  /** The instant up to which everything is counted. */
  @ApiProperty({ format: 'date-time' })
  as_of!: string;
}
