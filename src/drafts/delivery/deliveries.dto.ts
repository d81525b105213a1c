import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Optional } from '#http/input/fields.js';
import { STATUSES } from '../delivery.js';

export class AdminDeliveryResponse {
  organization_id!: string;
  /** The message draft or response draft. */
  draft_id!: string;
  /** @example "email" */
  modality!: string;
  @ApiProperty({ enum: STATUSES })
  status!: string;
  @ApiProperty({ type: 'integer' })
  attempts!: number;
  /** Why the last try did not succeed. */
  @ApiProperty({ type: String, nullable: true })
  last_error!: string | null;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  next_attempt_at!: string | null;
}

export class AdminDeliveryListResponse {
  data!: AdminDeliveryResponse[];
}

export class ListDeliveriesQuery {
  /** Only deliveries with this status. */
  @Optional()
  @OneOf(...STATUSES)
  status?: string;
}
