import { ApiProperty } from '@nestjs/swagger';
import { NonEmptyText, Optional, OptionalNullable, Text } from '#http/input/fields.js';

export class SaleStatusResponse {
  /** Given as `status_id` when a sale is created or moved. @example "stage_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  status_id!: string;
  /** @example "Quoted" */
  label!: string;
  /** System tag, by which analytics know the stage. @example "quoted" */
  @ApiProperty({ type: String, nullable: true })
  status!: string | null;
  /** Order in the pipeline, from 0. */
  @ApiProperty({ type: 'integer' })
  position!: number;
}

export class SaleStatusListResponse {
  /** In the order of the pipeline. */
  data!: SaleStatusResponse[];
}

/** A stage of the pipeline: one that exists by its `status_id`, or without it a new one. */
export class StageBody {
  @Optional()
  @Text()
  status_id?: string;
  /** @example "Quoted" */
  @NonEmptyText()
  label!: string;
  /** System tag; left out, a stage keeps the one it has. @example "quoted" */
  @OptionalNullable()
  @Text()
  status?: string | null;
}
