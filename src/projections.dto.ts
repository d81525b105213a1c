import { ApiProperty } from '@nestjs/swagger';

export class ProjectionResponse {
  /** @example "audit" */
  name!: string;
  /** `inline` ones are written in one transaction with the events, `async` ones follow them. */
  @ApiProperty({ enum: ['inline', 'async'] })
  kind!: string;
  /** The place in the event feed up to which it has read, in the form of the feed's positions. */
  position!: string;
  /** Events that it has still to read. */
  @ApiProperty({ type: 'integer', example: 0 })
  lag_events!: number;
  /** Seconds since the first of them; 0 when there is none. @example 0 */
  lag_seconds!: number;
  /** `rebuilding` while it is made anew beside the live tables, which are read and written as ever. */
  @ApiProperty({ enum: ['live', 'rebuilding'] })
  status!: string;
}

export class ProjectionListResponse {
  data!: ProjectionResponse[];
}
