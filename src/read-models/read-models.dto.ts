import { ApiProperty } from '@nestjs/swagger';

export class RebuildProgressResponse {
  /** The part of the work that is done, from 0 to 1. @example 0.42 */
  progress!: number;
  /** Estimated seconds for the rest of the work; null before there is an estimate. */
  @ApiProperty({ type: Number, nullable: true, example: 71.5 })
  seconds_left!: number | null;
}

export class ProjectionResponse {
  /** @example "audit" */
  name!: string;
  /** `inline` ones are written in one transaction with the events, `async` ones follow them. */
  @ApiProperty({ enum: ['inline', 'async'] })
  kind!: string;
  /** The place in the event feed up to which it has read, in the form of the feed's positions. */
  position!: string;
  /** Events that it has not read yet. */
  @ApiProperty({ type: 'integer', example: 0 })
  lag_events!: number;
  /** Seconds since the first of them; 0 when there is none. @example 0 */
  lag_seconds!: number;
  /** `rebuilding` while it is rebuilt beside the live tables, which stay in use. */
  @ApiProperty({ enum: ['live', 'rebuilding'] })
  status!: string;
  /** Progress of the rebuild under way; absent when there is none. */
  rebuild?: RebuildProgressResponse;
}

export class ProjectionListResponse {
  data!: ProjectionResponse[];
}
